package io.iocluster.simulation.defect;

import io.iocluster.http.BodyBudget;
import io.iocluster.http.Certainty;
import io.iocluster.http.HttpExecutor;
import io.iocluster.http.HttpRequest;
import io.iocluster.http.HttpResult;
import io.iocluster.message.ErrorCode;
import io.iocluster.simulation.cluster.Wiring;
import io.iocluster.testkit.record.RecordCopy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;

/** Defects of the HTTP client. */
final class HttpDefects {

    private HttpDefects() {}

    /** How an attempt is made. */
    @FunctionalInterface
    interface Attempting {

        CompletableFuture<HttpResult> execute(
                HttpExecutor correct, HttpRequest request, Duration timeout, BodyBudget budget);
    }

    private static Wiring attempting(Attempting defect) {
        return DefectiveWiring.ofExecutor(executor -> new DefectiveExecutor(executor) {

            @Override
            public CompletableFuture<HttpResult> execute(HttpRequest request, Duration timeout, BodyBudget budget) {
                return defect.execute(executor, request, timeout, budget);
            }
        });
    }

    private static Wiring changing(UnaryOperator<HttpResult> defect) {
        return DefectiveWiring.ofExecutor(executor -> new DefectiveExecutor(executor) {

            @Override
            HttpResult result(HttpResult result) {
                return defect.apply(result);
            }
        });
    }

    static Wiring stretchesTimeouts() {
        return attempting(
                (correct, request, timeout, budget) -> correct.execute(request, timeout.multipliedBy(4), budget));
    }

    static Wiring ignoresCancels() {
        return attempting((correct, request, timeout, budget) -> {
            CompletableFuture<HttpResult> detached = new CompletableFuture<>();
            correct.execute(request, timeout, budget).thenAccept(detached::complete);
            return detached;
        });
    }

    static Wiring losesCancels(Every some) {
        return attempting((correct, request, timeout, budget) -> {
            CompletableFuture<HttpResult> attempt = correct.execute(request, timeout, budget);
            CompletableFuture<HttpResult> result = new CompletableFuture<>();
            attempt.thenAccept(result::complete);
            result.whenComplete((ended, bug) -> {
                if (result.isCancelled() && !some.next()) {
                    attempt.cancel(true);
                }
            });
            return result;
        });
    }

    static Wiring endsAsRefused(Every some) {
        return changing(result -> result instanceof HttpResult.Response response && some.next()
                ? new HttpResult.Failure(ErrorCode.CONNECTION_CLOSED, "planted", Certainty.NOT_SENT, response.timing())
                : result);
    }

    static Wiring repeatsPosts(Every some) {
        return attempting((correct, request, timeout, budget) -> {
            if (!request.isIdempotent() && some.next()) {
                correct.execute(request, timeout, budget);
            }
            return correct.execute(request, timeout, budget);
        });
    }

    static Wiring losesResults(Every some) {
        return attempting((correct, request, timeout, budget) -> {
            CompletableFuture<HttpResult> attempt = correct.execute(request, timeout, budget);
            return some.next() ? new CompletableFuture<>() : attempt;
        });
    }

    static Wiring fails(Every some) {
        return attempting((correct, request, timeout, budget) -> some.next()
                ? CompletableFuture.failedFuture(new IllegalStateException("planted"))
                : correct.execute(request, timeout, budget));
    }

    static Wiring claimsNothingSent() {
        return changing(result -> result instanceof HttpResult.Failure failure
                ? RecordCopy.with(failure, "certainty", Certainty.NOT_SENT)
                : result);
    }

    static Wiring dropsHeaders() {
        return changing(result -> result instanceof HttpResult.Response response
                ? RecordCopy.with(response, "headers", List.of())
                : result);
    }

    static Wiring mixesUpResponses(Every some) {
        HttpResult[] before = new HttpResult[1];
        return changing(result -> {
            HttpResult answer = before[0] != null && some.next() ? before[0] : result;
            before[0] = result;
            return answer;
        });
    }
}
