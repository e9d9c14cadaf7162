package io.iocluster.pipeline.upstream;

import io.iocluster.egress.TargetUrl;
import io.iocluster.http.BodyBudget;
import io.iocluster.http.HttpExecutor;
import io.iocluster.http.HttpRequest;
import io.iocluster.http.HttpResult;
import io.iocluster.http.UpstreamAddress;
import io.iocluster.pipeline.upstream.UpstreamBalancers.BalancedDestination;
import io.iocluster.settings.StatusPattern;
import io.iocluster.upstream.HealthCheckSettings;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * Requests the health check of each upstream, on the event loop of a worker and with its connections, so that a check behaves like a
 * call. Confined to the thread that ticks, except for the results.
 */
public final class UpstreamHealthChecks {

    private static final int MAX_BODY_BYTES = 64 * 1024;

    private final UpstreamBalancers balancers;
    private final Consumer<Consumer<HttpExecutor>> workers;

    /** @param workers runs a task on the event loop of any worker, with its executor */
    public UpstreamHealthChecks(UpstreamBalancers balancers, Consumer<Consumer<HttpExecutor>> workers) {
        this.balancers = balancers;
        this.workers = workers;
    }

    /** Starts the checks that are due. */
    public void tick() {
        for (BalancedDestination each : balancers.current().byName().values()) {
            List<UpstreamAddress> due = each.balancer().startDueChecks();
            if (!due.isEmpty()) {
                workers.accept(executor -> due.forEach(upstream -> check(each, upstream, executor)));
            }
        }
    }

    private static void check(BalancedDestination destination, UpstreamAddress upstream, HttpExecutor executor) {
        HealthCheckSettings settings = destination.settings().healthCheck();
        TargetUrl url = settings.target();
        HttpRequest request = new HttpRequest("GET", url, List.of(), null).withUpstream(upstream);
        executor.execute(request, settings.timeout(), bodyBudget())
                .whenComplete((result, bug) -> destination
                        .balancer()
                        .recordCheck(upstream, bug == null ? failure(result, settings) : "a defect in the node"));
    }

    private static BodyBudget bodyBudget() {
        AtomicInteger remaining = new AtomicInteger(MAX_BODY_BYTES);
        return bytes -> remaining.addAndGet(-bytes) >= 0;
    }

    /** Returns why the check failed; null if it passed. */
    private static String failure(HttpResult result, HealthCheckSettings settings) {
        if (result instanceof HttpResult.Response response) {
            return StatusPattern.anyMatches(settings.statuses(), response.status())
                    ? null
                    : "status " + response.status();
        }
        return ((HttpResult.Failure) result).code().wireName();
    }
}
