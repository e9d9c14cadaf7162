package io.iocluster.pipeline;

import io.iocluster.http.HttpExecutor;
import io.iocluster.http.HttpRequest;
import io.iocluster.http.HttpResult;
import io.iocluster.http.HttpResult.AttemptTiming;
import io.iocluster.message.ErrorCode;
import io.iocluster.message.Outcome;
import io.iocluster.message.SentStatus;
import io.iocluster.trace.AttemptTrace;
import io.netty.channel.EventLoop;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One event loop with its own HTTP executor and the calls that it has under way (docs/adr/0004-a-worker-is-an-event-loop.md).
 * Calls come in from any thread and are made on the loop, one attempt each; nothing here waits.
 */
final class Worker {

    private static final Logger LOG = LoggerFactory.getLogger(Worker.class);

    private final String name;
    private final EventLoop loop;
    private final HttpExecutor executor;
    private final CallScheduler turns;
    private final DelayedRetryPublisher delays;
    private final PipelineEvents events;
    private final NodeClock clock;
    private final AtomicInteger inFlight = new AtomicInteger();
    private final OpenCalls open;
    private final LogThrottle defects;

    private final Hold queued = new Hold(this);
    private final Hold attempting = new Hold(this);

    /** Heartbeats that were requested from the loop. Confined to the supervisor's thread. */
    private long beatsAsked;

    /** The last heartbeat that the loop has answered. */
    private volatile long beatAnswered;

    /** Whether its calls were taken away; a loop that wakes up after that makes none of them. */
    private volatile boolean buried;

    Worker(
            String name,
            EventLoop loop,
            HttpExecutor executor,
            CallScheduler turns,
            DelayedRetryPublisher delays,
            PipelineEvents events,
            OpenCalls open,
            NodeClock clock) {
        this.name = name;
        this.loop = loop;
        this.executor = executor;
        this.turns = turns;
        this.delays = delays;
        this.events = events;
        this.open = open;
        this.clock = clock;
        this.defects = new LogThrottle(clock.nanos());
    }

    String name() {
        return name;
    }

    int inFlight() {
        return inFlight.get();
    }

    HttpExecutor.ConnectionStats connections() {
        return executor.connectionStats();
    }

    /**
     * Takes a call over. If the loop is dead, or its thread cannot be started, the call waits for the supervisor.
     *
     * @return false if the supervisor has been here already; the call is another worker's then
     */
    boolean submit(Call call) {
        inFlight.incrementAndGet();
        call.heldAs(queued);
        if (buried && hand(call)) {
            return false;
        }
        try {
            loop.execute(() -> attempt(call));
        } catch (RejectedExecutionException dead) {
            LOG.debug("{} is dead, {} waits for its successor", name, call.delivery.coordinates());
        } catch (Throwable noThread) {
            log("Event loop cannot be started; its calls wait for a new worker", call, noThread);
        }
        return true;
    }

    /** Completes when the loop has begun all that was submitted before, or is dead. */
    CompletableFuture<Void> whenSubmittedCallsStarted() {
        CompletableFuture<Void> turned = new CompletableFuture<>();
        try {
            loop.execute(() -> turned.complete(null));
        } catch (Throwable dead) {
            turned.complete(null);
        }
        return turned;
    }

    private void attempt(Call call) {
        try {
            begin(call);
        } catch (Throwable bug) {
            crash(call, bug);
        }
    }

    private void begin(Call call) {
        if (buried || !call.isHeldAs(queued) || isCancelled(call)) {
            return;
        }
        long left = call.clock.remainingNanos(clock.nanos());
        if (left <= 0) {
            fail(call, ErrorCode.DEADLINE_EXCEEDED, call.sent, AttemptTiming.NONE);
            return;
        }
        if (!call.delivery.claim()) {
            if (leave(call)) {
                call.ending.release(call);
            }
            call.target.dispatchWaiting();
            return;
        }
        if (!call.change(queued, attempting)) {
            return; // Another worker has it.
        }
        call.begun = true;
        call.attempts++;
        events.attempted(call.destinationName());
        Duration timeout = Duration.ofNanos(Math.min(call.clock.attemptTimeoutNanos(), left));
        HttpRequest request = call.nextRequest();
        AttemptTrace trace = call.trace().startAttempt(request, call.attempts);
        CompletableFuture<HttpResult> attempt = executor.execute(trace.injectContext(request), timeout, call.permit);
        call.attempt = attempt;
        attempt.whenComplete((result, bug) -> {
            try {
                trace.ended(result);
                if (!isCancelled(call)) {
                    afterAttempt(call, bug == null ? result : defect(call, bug), timeout);
                }
            } catch (Throwable defect) {
                crash(call, defect);
            }
        });
    }

    /** Ends a call after an exception, which a future or an event loop would otherwise lose. */
    private void crash(Call call, Throwable bug) {
        hand(call);
        call.failWithDefect(bug);
        call.target.dispatchWaiting();
    }

    /** Ended by somebody else: then it is not here any more either. */
    private boolean isCancelled(Call call) {
        if (call.isEnded()) {
            hand(call);
            return true;
        }
        return false;
    }

    private void afterAttempt(Call call, HttpResult result, Duration timeout) {
        if (isTimedOut(result) && !call.clock.isConclusiveTimeout(timeout.toNanos())) {
            call.permit.abandonAttempt();
        } else {
            call.permit.completeAttempt(result);
        }
        if (!(result instanceof HttpResult.Failure failure) || failure.sent() == SentStatus.MAYBE) {
            call.sent = SentStatus.MAYBE;
        }
        long left = call.clock.remainingNanos(clock.nanos());
        Optional<Duration> wait = call.target
                .retry()
                .nextDelay(
                        call.request,
                        call.envelope.idempotencyKey() != null,
                        result,
                        call.attempts,
                        call.envelope.maxAttempts(),
                        left / 1_000_000);
        if (wait.isPresent() && triesAgain(call, wait.get(), result)) {
            return;
        }
        if (left <= 0
                && result instanceof HttpResult.Failure failure
                && failure.code().outcome() == Outcome.FAILED) {
            fail(call, ErrorCode.DEADLINE_EXCEEDED, failure.sent(), failure.timing());
        } else if (leave(call)) {
            end(call, result);
        }
        call.target.dispatchWaiting();
    }

    /** Ends a detached call with the result of its last attempt. */
    private static void end(Call call, HttpResult result) {
        if (result instanceof HttpResult.Response response) {
            call.reportAnswer(response);
        } else if (result instanceof HttpResult.Failure failure) {
            call.reportFailure(failure.code(), failure.message(), failure.sent(), failure.timing());
        }
    }

    private static boolean isTimedOut(HttpResult result) {
        return result instanceof HttpResult.Failure failure
                && (failure.code() == ErrorCode.TIMEOUT || failure.code() == ErrorCode.CONNECT_TIMEOUT);
    }

    /** Whether the call has another attempt; then whoever lets it wait for that has it. */
    private boolean triesAgain(Call call, Duration wait, HttpResult result) {
        String reason = reason(result);
        Optional<Duration> delay = delays.selectDelay(call, wait);
        boolean may = delay.isPresent() ? call.target.tryReserveDelayedRetry() : call.target.tryReserveRetry(call);
        if (!may) {
            return false;
        }
        if (delay.isPresent()) {
            if (leave(call)) {
                events.retried(call.destinationName(), reason);
                events.delayed(call.destinationName(), reason);
                Runnable withThisResult = () -> end(call, result);
                delays.delay(call, wait, delay.get(), withThisResult, withThisResult);
            }
            call.target.dispatchWaiting();
        } else if (hand(call)) {
            events.retried(call.destinationName(), reason);
            turns.retry(call, wait);
        }
        return true;
    }

    private void fail(Call call, ErrorCode code, SentStatus sent, AttemptTiming timing) {
        if (leave(call)) {
            call.reportFailure(code, code.description(), sent, timing);
        }
    }

    private static String reason(HttpResult result) {
        return result instanceof HttpResult.Response response
                ? Integer.toString(response.status())
                : ((HttpResult.Failure) result).code().wireName();
    }

    private HttpResult defect(Call call, Throwable bug) {
        log("Attempt failed because of a defect", call, bug);
        return new HttpResult.Failure(
                ErrorCode.INTERNAL, ErrorCode.INTERNAL.description(), SentStatus.MAYBE, AttemptTiming.NONE);
    }

    private void log(String event, Call call, Throwable bug) {
        long suppressed = defects.pollSuppressed(clock.nanos());
        if (suppressed != LogThrottle.NOT_DUE) {
            LOG.error(
                    "{} worker={} source={} suppressed={}", event, name, call.delivery.coordinates(), suppressed, bug);
        }
    }

    /** The call's work is over. True for the first who says so. */
    private boolean leave(Call call) {
        return hand(call) && call.tryEnd();
    }

    /** The call is here no more. True for the first who says so, whose it is then. */
    private boolean hand(Call call) {
        if (!call.change(queued, null) && !call.change(attempting, null)) {
            return false;
        }
        inFlight.decrementAndGet();
        return true;
    }

    /** Ends a call without a word, wherever it is now. From any thread. */
    void cancel(Call call) {
        try {
            loop.execute(() -> cancelOnLoop(call));
        } catch (Throwable dead) {
            hand(call);
            endQuietly(call);
        }
    }

    private void cancelOnLoop(Call call) {
        boolean here = hand(call);
        endQuietly(call);
        if (here && call.attempt != null) {
            call.attempt.cancel(true);
        }
        call.target.dispatchWaiting();
    }

    private static void endQuietly(Call call) {
        if (call.tryEnd()) {
            call.permit.release();
        }
    }

    /** Asks the loop for a heartbeat. */
    void heartbeat() {
        long beat = ++beatsAsked;
        try {
            loop.execute(() -> beatAnswered = beat);
        } catch (Throwable dead) {
            LOG.debug("Worker is dead worker={}", name, dead);
        }
    }

    /** Whether its loop has ended, or has missed more than this many heartbeats in a row. */
    boolean isDead(long heartbeats) {
        return loop.isShuttingDown() || beatsAsked - beatAnswered > heartbeats;
    }

    /**
     * Ends what a dead worker left: a call that was begun is answered, for its target may have seen it; one that was not is
     * returned, to be made by another worker.
     */
    List<Call> evict() {
        buried = true;
        List<Call> untouched = new ArrayList<>();
        for (Call call : open) {
            if (call.change(queued, null)) {
                inFlight.decrementAndGet();
                untouched.add(call);
            }
        }
        failLostCalls();
        close();
        return untouched;
    }

    /** Answers the calls that it has started: their targets may have seen them, and no other worker will answer them. */
    void failLostCalls() {
        for (Call call : open) {
            if (call.isHeldAs(attempting)) {
                fail(call, ErrorCode.WORKER_LOST, SentStatus.MAYBE, AttemptTiming.NONE);
            }
        }
    }

    /** Gives back every call that has no result yet. */
    void releaseAll() {
        for (Call call : open) {
            if (leave(call)) {
                call.release();
            }
        }
    }

    /** Closes the connections and ends the loop, without waiting. */
    void close() {
        try {
            executor.close();
        } catch (Throwable bug) {
            LOG.error("Executor could not be closed worker={}", name, bug);
        }
        loop.parent().shutdownGracefully(0, 1, TimeUnit.SECONDS);
    }
}
