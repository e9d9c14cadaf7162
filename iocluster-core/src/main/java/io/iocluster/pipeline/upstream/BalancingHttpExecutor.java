package io.iocluster.pipeline.upstream;

import io.iocluster.destination.limit.ResultKind;
import io.iocluster.http.BodyBudget;
import io.iocluster.http.HttpExecutor;
import io.iocluster.http.HttpRequest;
import io.iocluster.http.HttpResult;
import io.iocluster.http.HttpResult.Failure;
import io.iocluster.http.UpstreamAddress;
import io.iocluster.http.UpstreamHistory;
import io.iocluster.http.UpstreamName;
import io.iocluster.message.ErrorCode;
import io.iocluster.pipeline.upstream.UpstreamBalancers.BalancedDestination;
import io.iocluster.pipeline.upstream.UpstreamBalancers.Snapshot;
import io.iocluster.upstream.UpstreamResult;
import io.iocluster.upstream.UpstreamSelection;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;

/**
 * Selects an upstream for each attempt to a destination that has some. Confined to the event loop of the executor that it wraps, except
 * {@link #connectionStats} and {@link #close}.
 */
public final class BalancingHttpExecutor implements HttpExecutor {

    private static final int MAX_HOSTS = 1_024;

    private final HttpExecutor delegate;
    private final UpstreamBalancers balancers;
    private final Map<String, Optional<BalancedDestination>> byHost = new HashMap<>();
    private Snapshot snapshot;

    /**
     * Creates an executor on the event loop of the delegate.
     *
     * @param delegate closed with this executor
     */
    public BalancingHttpExecutor(HttpExecutor delegate, UpstreamBalancers balancers) {
        this.delegate = delegate;
        this.balancers = balancers;
    }

    @Override
    public CompletableFuture<HttpResult> execute(HttpRequest request, Duration timeout, BodyBudget budget) {
        Snapshot now = balancers.current();
        if (now != snapshot) {
            snapshot = now;
            byHost.clear();
        }
        // A health check names its upstream.
        BalancedDestination destination = now.isEmpty() || request.upstream() != null
                ? null
                : find(request.url().host());
        return destination == null
                ? delegate.execute(request, timeout, budget)
                : executeBalanced(destination, request, timeout, budget);
    }

    private BalancedDestination find(String host) {
        Optional<BalancedDestination> known = byHost.get(host);
        if (known != null) {
            return known.orElse(null);
        }
        if (byHost.size() >= MAX_HOSTS) {
            byHost.clear();
        }
        BalancedDestination found = snapshot.find(host);
        byHost.put(host, Optional.ofNullable(found));
        return found;
    }

    private CompletableFuture<HttpResult> executeBalanced(
            BalancedDestination destination, HttpRequest request, Duration timeout, BodyBudget budget) {
        UpstreamLookup lookup = destination.lookup();
        if (lookup != null) {
            lookup.runIfDue(delegate, destination.settings().refresh());
        }
        UpstreamHistory history = request.upstreamHistory();
        UpstreamSelection selection = destination.balancer().select(history == null ? null : history.last());
        if (selection == null) { // Only possible before the upstreams are known.
            return delegate.execute(lookup == null ? request : request.withUpstream(lookup.host()), timeout, budget);
        }
        if (history != null) {
            history.add(selection.address());
        }
        boolean timeoutIsConclusive = timeout.toNanos() >= destination.conclusiveTimeoutNanos();
        CompletableFuture<HttpResult> attempt;
        try {
            attempt = delegate.execute(request.withUpstream(selection.address()), timeout, budget);
        } catch (Throwable bug) {
            selection.end(UpstreamResult.IGNORED);
            throw bug;
        }
        attempt.whenComplete(
                (result, bug) -> selection.end(bug == null ? classify(result, timeoutIsConclusive) : classify(bug)));
        return attempt; // Not the dependent future, because a cancellation must reach the delegate.
    }

    private static UpstreamResult classify(Throwable bug) {
        return bug instanceof CancellationException ? UpstreamResult.UNFINISHED : UpstreamResult.IGNORED;
    }

    private static UpstreamResult classify(HttpResult result, boolean timeoutIsConclusive) {
        ErrorCode code = result instanceof Failure failure ? failure.code() : null;
        if (code == ErrorCode.ADDRESS_NOT_ALLOWED) {
            return UpstreamResult.FAILURE; // It fails at once, so the upstream would look idle and attract calls.
        }
        if ((code == ErrorCode.TIMEOUT || code == ErrorCode.CONNECT_TIMEOUT) && !timeoutIsConclusive) {
            return UpstreamResult.UNFINISHED;
        }
        return switch (ResultKind.of(result)) {
            case HEALTHY -> UpstreamResult.SUCCESS;
            case OVERLOADED, FAILING -> UpstreamResult.FAILURE;
            // A 429 may limit the sender, whichever upstream answers. Its latency says nothing.
            case THROTTLED, IGNORED -> UpstreamResult.IGNORED;
        };
    }

    @Override
    public CompletableFuture<List<UpstreamAddress>> resolve(UpstreamName name) {
        return delegate.resolve(name);
    }

    @Override
    public ConnectionStats connectionStats() {
        return delegate.connectionStats();
    }

    @Override
    public void close() {
        delegate.close();
    }
}
