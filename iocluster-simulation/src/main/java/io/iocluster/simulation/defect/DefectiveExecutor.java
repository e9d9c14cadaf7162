package io.iocluster.simulation.defect;

import io.iocluster.http.BodyBudget;
import io.iocluster.http.HttpExecutor;
import io.iocluster.http.HttpRequest;
import io.iocluster.http.HttpResult;
import io.iocluster.http.UpstreamAddress;
import io.iocluster.http.UpstreamName;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Passes everything on to the correct HTTP client. A subclass changes a part. */
class DefectiveExecutor implements HttpExecutor {

    private final HttpExecutor correct;

    DefectiveExecutor(HttpExecutor correct) {
        this.correct = correct;
    }

    /** Returns the result that the node gets. */
    HttpResult result(HttpResult result) {
        return result;
    }

    @Override
    public CompletableFuture<HttpResult> execute(HttpRequest request, Duration timeout, BodyBudget budget) {
        CompletableFuture<HttpResult> attempt = correct.execute(request, timeout, budget);
        CompletableFuture<HttpResult> changed = new CompletableFuture<>();
        attempt.whenComplete((result, bug) -> {
            if (result != null) {
                changed.complete(result(result));
            }
        });
        changed.whenComplete((result, bug) -> {
            if (changed.isCancelled()) {
                attempt.cancel(true);
            }
        });
        return changed;
    }

    @Override
    public CompletableFuture<List<UpstreamAddress>> resolve(UpstreamName name) {
        return correct.resolve(name);
    }

    @Override
    public ConnectionStats connectionStats() {
        return correct.connectionStats();
    }

    @Override
    public void close() {
        correct.close();
    }
}
