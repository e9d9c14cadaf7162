package io.iocluster.pipeline.worker;

import io.iocluster.destination.CallPermit;
import io.iocluster.destination.limit.ResultKind;
import io.iocluster.hedge.HedgeResult;
import io.iocluster.http.HttpRequest;
import io.iocluster.http.HttpResult;
import io.iocluster.http.timeout.TimeoutWheel;
import io.iocluster.pipeline.call.Call;
import io.iocluster.pipeline.worker.Attempts.Started;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * An attempt that may get a second one beside it. The first usable answer wins and the other attempt is cancelled. If neither has one, the
 * result is that of the attempt that ended last. Confined to the worker's event loop.
 */
final class HedgedAttempt extends TimeoutWheel.Entry<HedgedAttempt> {

    private final Hedges hedges;
    private final Started first;
    private final HttpRequest request;
    private final Call call;
    private final Result result = new Result();

    /** Null until it starts. */
    private Started second;

    private int running = 1;
    private boolean waiting;
    private boolean done;

    HedgedAttempt(Hedges hedges, Started first, HttpRequest request) {
        this.hedges = hedges;
        this.first = first;
        this.request = request;
        this.call = first.call();
    }

    /**
     * Waits for the result.
     *
     * @param delayNanos until the second attempt; negative for none, so that only the latency is recorded
     */
    CompletableFuture<HttpResult> start(long delayNanos) {
        watch(first);
        if (!done && delayNanos >= 0 && delayNanos < first.timeout().toNanos()) {
            waiting = true;
            hedges.waiting().add(this, first.startedNanos(), delayNanos);
        }
        return result;
    }

    private void watch(Started attempt) {
        attempt.result().whenComplete((received, bug) -> {
            try {
                ended(attempt, received, bug);
            } catch (Throwable defect) {
                end(HedgeResult.FAILED);
                result.completeExceptionally(defect);
            }
        });
    }

    private void ended(Started attempt, HttpResult received, Throwable bug) {
        attempt.trace().ended(received);
        if (done) {
            return;
        }
        if (call.isEnded()) {
            result.cancel(true);
            return;
        }
        long now = hedges.nanos();
        HttpResult recorded = hedges.attempts().record(attempt, received, bug, now);
        running--;
        if (running == 0 || isConclusive(recorded)) {
            finish(attempt, recorded, now);
        } else {
            if (attempt == second) {
                call.progress().endHedge();
            } else {
                call.target().dispatchWaiting(); // The destination has a free slot, the node has not.
            }
        }
    }

    /** Returns whether another attempt would not get a better answer. */
    private static boolean isConclusive(HttpResult recorded) {
        return recorded instanceof HttpResult.Response response
                && ResultKind.of(response) == ResultKind.HEALTHY
                && !response.usability().isUnusable();
    }

    private void finish(Started attempt, HttpResult recorded, long now) {
        boolean conclusive = isConclusive(recorded);
        if (conclusive || Attempts.isTimedOut(recorded)) {
            // If the second attempt won, this is a lower bound for the first one, and above the delay.
            call.target().recordHedgeableLatency(now - first.startedNanos());
        }
        CallPermit answered = attempt == second ? call.progress().takeHedge() : null;
        end(!conclusive ? HedgeResult.FAILED : attempt == second ? HedgeResult.WON : HedgeResult.LOST);
        if (answered != null) {
            call.permit().replaceAnswer(answered);
        }
        result.complete(recorded);
    }

    /** Cancels the running attempts, and releases what they hold. */
    private void end(HedgeResult how) {
        if (done) {
            return;
        }
        done = true;
        stopWaiting();
        first.result().cancel(true);
        call.permit().abandonAttempt();
        if (second != null) {
            second.result().cancel(true);
            call.progress().endHedge();
            hedges.events().hedged(call.destinationName(), how);
        }
    }

    private void stopWaiting() {
        if (waiting) {
            waiting = false;
            hedges.waiting().remove(this);
        }
    }

    /** Starts the second attempt. */
    @Override
    protected void timeOut() {
        if (!waiting) {
            return; // It ended in the same tick.
        }
        stopWaiting();
        try {
            startSecond(hedges.nanos());
        } catch (Throwable bug) {
            hedges.attempts().logDefect(call, bug);
            call.progress().endHedge(); // The first attempt continues.
        }
    }

    private void startSecond(long now) {
        long nanos = call.attemptNanos(now);
        if (nanos <= 0 || call.isEnded() || !hedges.mayHedge(call, request)) {
            return;
        }
        CallPermit permit = call.permit().forHedge();
        HedgeResult refusal = call.target().tryStartHedge(permit);
        if (refusal != null) {
            hedges.events().hedged(call.destinationName(), refusal);
            return;
        }
        call.progress().setHedge(permit);
        if (call.isEnded()) {
            call.progress().endHedge(); // It may have ended before it could release this permit.
            return;
        }
        call.progress().startAttempt();
        second = hedges.attempts().start(call, permit, request, Duration.ofNanos(nanos), now);
        running++;
        watch(second);
    }

    /** Cancels both attempts when the caller cancels it. */
    private final class Result extends CompletableFuture<HttpResult> {

        @Override
        public boolean cancel(boolean mayInterruptIfRunning) {
            end(HedgeResult.CANCELLED);
            return super.cancel(mayInterruptIfRunning);
        }
    }
}
