package io.iocluster.pipeline.worker;

import io.iocluster.http.HttpRequest;
import io.iocluster.http.HttpResult;
import io.iocluster.http.timeout.TimeoutWheel;
import io.iocluster.pipeline.call.Call;
import io.iocluster.pipeline.call.CallInterceptor;
import io.iocluster.pipeline.event.PipelineEvents;
import io.iocluster.pipeline.worker.Attempts.Started;
import io.iocluster.thread.NodeClock;
import io.netty.channel.EventLoop;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Gives slow calls of a worker a second attempt, if their destination has {@code hedge.after}
 * (docs/adr/0046-the-worker-hedges-slow-calls.md). Confined to the worker's event loop.
 */
final class Hedges {

    /** Shorter than that of timeouts, because the delay of a fast destination is a few milliseconds. */
    private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private final Attempts attempts;
    private final PipelineEvents events;
    private final NodeClock clock;

    /** The calls whose second attempt is not due yet. */
    private final TimeoutWheel<HedgedAttempt> waiting;

    Hedges(EventLoop loop, Attempts attempts, PipelineEvents events, NodeClock clock) {
        this.attempts = attempts;
        this.events = events;
        this.clock = clock;
        this.waiting = new TimeoutWheel<>(loop, clock::nanos, TICK_NANOS);
    }

    /**
     * Starts a second attempt later, if the first one has no usable answer by then.
     *
     * @param first an attempt that was just started
     * @param request what it sends
     * @return a future with the result of both attempts, which is recorded. Cancelling it cancels both. Null if the call gets no second
     *     attempt; the caller then uses the first one
     */
    CompletableFuture<HttpResult> hedge(Started first, HttpRequest request) {
        Call call = first.call();
        return mayHedge(call, request)
                ? new HedgedAttempt(this, first, request).start(call.target().hedgeDelayNanos())
                : null;
    }

    /** Returns whether the call may be sent once more now. */
    boolean mayHedge(Call call, HttpRequest request) {
        if (!call.target().policy().hedge().isEnabled()) {
            return false;
        }
        CallInterceptor interceptor = call.progress().interceptor();
        boolean keyed = call.envelope().idempotencyKey() != null;
        return call.target()
                        .retry()
                        .allowsHedge(
                                call.request(),
                                keyed,
                                call.progress().attempts(),
                                call.envelope().maxAttempts())
                && (interceptor == null || interceptor.allowsHedge(request));
    }

    Attempts attempts() {
        return attempts;
    }

    PipelineEvents events() {
        return events;
    }

    long nanos() {
        return clock.nanos();
    }

    TimeoutWheel<HedgedAttempt> waiting() {
        return waiting;
    }
}
