package io.iocluster.pipeline.worker;

import io.iocluster.http.HttpExecutor;
import io.iocluster.http.HttpRequest;
import io.iocluster.http.HttpResult;
import io.iocluster.http.HttpResult.AttemptTiming;
import io.iocluster.log.LogThrottle;
import io.iocluster.message.ErrorCode;
import io.iocluster.message.Outcome;
import io.iocluster.message.SentStatus;
import io.iocluster.pipeline.call.Call;
import io.iocluster.pipeline.call.CallInterceptor;
import io.iocluster.pipeline.call.CallOwner;
import io.iocluster.pipeline.call.CallScheduler;
import io.iocluster.pipeline.call.OpenCalls;
import io.iocluster.pipeline.event.PipelineEvents;
import io.iocluster.pipeline.publish.DelayedRetryPublisher;
import io.iocluster.thread.GuardedTask;
import io.iocluster.thread.NodeClock;
import io.netty.channel.EventLoop;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Makes one attempt of each submitted call on its own event loop, with its own HTTP executor
 * (docs/adr/0003-one-owner-for-each-state.md). Never blocks. Thread-safe: calls are submitted from any thread and attempted on the loop.
 */
public final class Worker implements CallOwner {

    private static final Logger LOG = LoggerFactory.getLogger(Worker.class);

    private final String name;
    private final EventLoop loop;
    private final HttpExecutor executor;
    private final Attempts attempts;
    private final Hedges hedges;
    private final CallScheduler scheduler;
    private final DelayedRetryPublisher delays;
    private final PipelineEvents events;
    private final NodeClock clock;
    private final HeldCalls calls;
    private final LoopHeartbeat heartbeat;
    private final LogThrottle defectLog;

    /** Whether its calls were evicted. A loop that responds again after that starts none of them. */
    private volatile boolean evicted;

    public Worker(
            String name,
            EventLoop loop,
            HttpExecutor executor,
            CallScheduler scheduler,
            DelayedRetryPublisher delays,
            PipelineEvents events,
            OpenCalls open,
            NodeClock clock) {
        this.name = name;
        this.loop = loop;
        this.heartbeat = new LoopHeartbeat(loop);
        this.executor = executor;
        this.scheduler = scheduler;
        this.delays = delays;
        this.events = events;
        this.calls = new HeldCalls(this, open);
        this.clock = clock;
        this.defectLog = new LogThrottle(LOG, clock::nanos);
        this.attempts =
                new Attempts(executor, events, (call, bug) -> log("Attempt failed because of a defect", call, bug));
        this.hedges = new Hedges(loop, attempts, events, clock);
    }

    public String name() {
        return name;
    }

    public int inFlight() {
        return calls.count();
    }

    public HttpExecutor.ConnectionStats connections() {
        return executor.connectionStats();
    }

    /**
     * Submits a call for its next attempt. If the loop is dead, or its thread cannot be started, the call waits for the supervisor.
     *
     * @return false if the worker was evicted; the caller then gives the call to another worker
     */
    boolean submit(Call call) {
        calls.add(call);
        if (evicted && calls.detach(call)) {
            return false;
        }
        try {
            loop.execute(() -> attempt(call));
        } catch (RejectedExecutionException dead) {
            LOG.debug(
                    "Worker is dead; the call waits for its successor worker={} request={}",
                    name,
                    call.delivery().coordinates());
        } catch (Throwable noThread) {
            log("Event loop cannot be started; its calls wait for a new worker", call, noThread);
        }
        return true;
    }

    /** Runs a task on the loop with the executor. Does nothing if the loop is dead. */
    void execute(Consumer<HttpExecutor> task) {
        GuardedTask guarded = new GuardedTask("task of " + name, () -> task.accept(executor), clock);
        try {
            loop.execute(guarded::run);
        } catch (RejectedExecutionException dead) {
            LOG.debug("Worker is dead; a task was dropped worker={}", name);
        }
    }

    /** Returns a future that completes when the loop has started all calls submitted before, or is dead. */
    CompletableFuture<Void> whenSubmittedCallsStarted() {
        CompletableFuture<Void> started = new CompletableFuture<>();
        try {
            loop.execute(() -> started.complete(null));
        } catch (Throwable dead) {
            started.complete(null);
        }
        if (loop.isShutdown()) { // Netty loses a task that is added while the loop ends, without an exception.
            started.complete(null);
        }
        return started;
    }

    private void attempt(Call call) {
        try {
            start(call);
        } catch (Throwable bug) {
            crash(call, bug);
        }
    }

    private void start(Call call) {
        if (evicted || !calls.isQueued(call) || isCancelled(call)) {
            return;
        }
        long started = clock.nanos();
        long remaining = call.deadline().remainingNanos(started);
        if (remaining <= 0) {
            fail(call, ErrorCode.DEADLINE_EXCEEDED, call.progress().sent(), AttemptTiming.NONE);
            return;
        }
        if (!call.delivery().claim()) {
            if (calls.detachAndEnd(call)) {
                call.release();
            }
            return;
        }
        if (!calls.start(call)) {
            return; // Another worker holds it.
        }
        call.progress().startAttempt();
        CallInterceptor interceptor = call.progress().interceptor();
        HttpRequest next = call.nextRequest();
        HttpRequest request = interceptor == null ? next : interceptor.prepare(call, next);
        Duration timeout = Duration.ofNanos(call.attemptNanos(started));
        Attempts.Started first = attempts.start(call, call.permit(), request, timeout, started);
        CompletableFuture<HttpResult> hedged = hedges.hedge(first, request);
        CompletableFuture<HttpResult> attempt = hedged == null ? first.result() : hedged;
        call.progress().attempting(attempt);
        attempt.whenComplete((result, bug) -> {
            try {
                call.progress().attemptEnded(attempt);
                if (hedged == null) {
                    first.trace().ended(result);
                }
                if (isCancelled(call)) {
                    return;
                }
                long now = clock.nanos();
                if (hedged == null) {
                    afterAttempt(call, attempts.record(first, result, bug, now), now);
                } else if (bug == null) {
                    afterAttempt(call, result, now);
                } else {
                    crash(call, bug);
                }
            } catch (Throwable defect) {
                crash(call, defect);
            }
        });
    }

    /** Ends a call after an exception, which a future or an event loop would otherwise lose. */
    private void crash(Call call, Throwable bug) {
        calls.detach(call);
        call.failWithDefect(bug);
    }

    /** Returns whether another thread has ended the call, and detaches it then. */
    private boolean isCancelled(Call call) {
        if (call.isEnded()) {
            calls.detach(call);
            return true;
        }
        return false;
    }

    /** Retries the call or ends it, after the result of an attempt was recorded. */
    private void afterAttempt(Call call, HttpResult result, long now) {
        long remaining = call.deadline().remainingNanos(now);
        Optional<Duration> wait = call.target()
                .retry()
                .nextDelay(
                        call.request(),
                        call.envelope().idempotencyKey() != null,
                        result,
                        call.progress().attempts(),
                        call.envelope().maxAttempts(),
                        remaining / 1_000_000);
        if (wait.isPresent() && tryRetry(call, wait.get(), result)) {
            return;
        }
        CallInterceptor interceptor = call.progress().interceptor();
        HttpResult last = interceptor == null ? result : interceptor.complete(call, result);
        if (remaining <= 0
                && last instanceof HttpResult.Failure failure
                && failure.code().outcome() == Outcome.FAILED) {
            fail(call, ErrorCode.DEADLINE_EXCEEDED, failure.sent(), failure.timing());
        } else if (calls.detachAndEnd(call)) {
            end(call, last);
        }
    }

    /** Ends a detached call with the result of its last attempt. */
    private static void end(Call call, HttpResult result) {
        if (result instanceof HttpResult.Response response) {
            call.reportAnswer(response);
        } else if (result instanceof HttpResult.Failure failure) {
            call.reportFailure(failure.code(), failure.message(), failure.sent(), failure.timing());
        }
    }

    /** Retries the call if the retry budget allows it. Returns true if the call now belongs to the queue or to the delayed retries. */
    private boolean tryRetry(Call call, Duration wait, HttpResult result) {
        String reason = reason(result);
        Optional<Duration> delay = delays.selectDelay(call, wait);
        boolean reserved = delay.isPresent()
                ? call.target().tryReserveDelayedRetry()
                : call.target().tryReserveRetry(call);
        if (!reserved) {
            return false;
        }
        if (delay.isPresent()) {
            if (calls.detachAndEnd(call)) {
                events.retried(call.destinationName(), reason);
                events.delayed(call.destinationName(), reason);
                Runnable endWithResult = () -> end(call, result);
                delays.delay(call, wait, delay.get(), endWithResult, endWithResult);
            }
        } else if (calls.detach(call)) {
            events.retried(call.destinationName(), reason);
            scheduler.retry(call, wait);
        }
        return true;
    }

    private void fail(Call call, ErrorCode code, SentStatus sent, AttemptTiming timing) {
        if (calls.detachAndEnd(call)) {
            call.reportFailure(code, code.description(), sent, timing);
        }
    }

    private static String reason(HttpResult result) {
        if (result instanceof HttpResult.Response response) {
            return response.status() < 400 ? "unusable" : Integer.toString(response.status());
        }
        return ((HttpResult.Failure) result).code().wireName();
    }

    private void log(String event, Call call, Throwable bug) {
        defectLog.log(
                Level.ERROR,
                line -> call.addTo(line).setCause(bug),
                "{} worker={} source={}",
                event,
                name,
                call.delivery().coordinates());
    }

    @Override
    public void cancel(Call call) {
        // A call that has not started ends at once: the loop may be stalled, and another worker would then start the
        // call.
        if (!calls.detachUnstarted(call) && calls.isAttempting(call) && tryCancelOnLoop(call)) {
            return;
        }
        calls.detach(call);
        call.endWithoutResult();
    }

    /** Returns false if the loop is dead. */
    private boolean tryCancelOnLoop(Call call) {
        try {
            loop.execute(() -> cancelOnLoop(call));
            return true;
        } catch (Throwable dead) {
            return false;
        }
    }

    private void cancelOnLoop(Call call) {
        boolean detached = calls.detach(call);
        call.endWithoutResult();
        if (detached) {
            call.progress().cancelAttempt();
        }
    }

    @Override
    public boolean isLate() {
        return heartbeat.isLate();
    }

    /** Returns the heartbeat of its loop. */
    LoopHeartbeat heartbeat() {
        return heartbeat;
    }

    /**
     * Removes the calls of a dead worker and closes it. Calls whose attempt has started fail with {@code worker-lost}, because their
     * targets may have seen them.
     *
     * @return the calls whose attempt has not started; the caller {@linkplain #requeue requeues} them
     */
    List<Call> evict() {
        evicted = true;
        List<Call> unstarted = calls.detachAllUnstarted();
        failLostCalls();
        close();
        return unstarted;
    }

    /**
     * Returns an evicted call to the queue of its destination, because a pause, a breaker or a limit may have begun to apply since the
     * destination let it start. Never throws.
     */
    void requeue(Call call) {
        try {
            scheduler.retry(call, Duration.ZERO);
        } catch (Throwable bug) {
            call.failWithDefect(bug);
        }
    }

    /** Answers the calls that it has started: their targets may have seen them, and no other worker will answer them. */
    void failLostCalls() {
        heartbeat.abandon();
        calls.attempting().forEach(call -> fail(call, ErrorCode.WORKER_LOST, SentStatus.MAYBE, AttemptTiming.NONE));
    }

    /** Releases every call that has no result yet. */
    void releaseAll() {
        calls.detachAndEndAll().forEach(Call::release);
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
