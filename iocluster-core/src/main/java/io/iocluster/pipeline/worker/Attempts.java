package io.iocluster.pipeline.worker;

import io.iocluster.destination.CallPermit;
import io.iocluster.http.Certainty;
import io.iocluster.http.HttpExecutor;
import io.iocluster.http.HttpRequest;
import io.iocluster.http.HttpResult;
import io.iocluster.http.HttpResult.AttemptTiming;
import io.iocluster.message.ErrorCode;
import io.iocluster.pipeline.call.Call;
import io.iocluster.pipeline.event.PipelineEvents;
import io.iocluster.trace.AttemptTrace;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;

/** Starts the attempts of a worker's calls, and records their results. Confined to the worker's event loop. */
final class Attempts {

    private static final int NOT_MODIFIED = 304;

    private final HttpExecutor executor;
    private final PipelineEvents events;
    private final BiConsumer<Call, Throwable> defectLog;

    /**
     * An attempt that was started.
     *
     * @param permit holds its slot and its bytes: that of the call, or that of a second attempt
     * @param timeout maximum duration
     * @param startedNanos when it started, on the node's monotonic clock
     */
    record Started(
            Call call,
            CallPermit permit,
            AttemptTrace trace,
            Duration timeout,
            long startedNanos,
            CompletableFuture<HttpResult> result) {}

    /** @param defectLog logs an exception of an attempt */
    Attempts(HttpExecutor executor, PipelineEvents events, BiConsumer<Call, Throwable> defectLog) {
        this.executor = executor;
        this.events = events;
        this.defectLog = defectLog;
    }

    /** Starts an attempt that the call has counted. */
    Started start(Call call, CallPermit permit, HttpRequest request, Duration timeout, long nowNanos) {
        events.attempted(call.destinationName(), request.bodyBytes());
        AttemptTrace trace = call.trace().startAttempt(request, call.progress().attempts());
        CompletableFuture<HttpResult> result = executor.execute(trace.injectContext(request), timeout, permit);
        return new Started(call, permit, trace, timeout, nowNanos, result);
    }

    /**
     * Records the result of an attempt in the metrics, at the destination and in the call.
     *
     * @param bug null if there is a result
     * @return the result, checked by the rule for usable answers
     */
    HttpResult record(Started attempt, HttpResult result, Throwable bug, long nowNanos) {
        Call call = attempt.call();
        HttpResult received = bug == null ? result : defect(call, bug);
        HttpResult checked = checkUsable(call, received);
        events.attemptEnded(call.destinationName(), checked, nowNanos - attempt.startedNanos());
        if (isTimedOut(checked) && !call.isConclusiveTimeout(attempt.timeout().toNanos())) {
            abandon(attempt);
        } else {
            // A sender's rule must not open the breaker for others.
            attempt.permit().completeAttempt(call.envelope().usable() == null ? checked : received);
        }
        if (!(checked instanceof HttpResult.Failure failure)
                || !failure.certainty().isUnprocessed()) {
            call.progress().recordMaybeSent();
        }
        return checked;
    }

    private static void abandon(Started attempt) {
        if (attempt.timeout().toNanos() < attempt.call().deadline().attemptTimeoutNanos()) {
            attempt.permit().expireAttempt();
        } else {
            attempt.permit().abandonAttempt();
        }
    }

    /** Logs an exception that prevented a second attempt. */
    void logDefect(Call call, Throwable bug) {
        defectLog.accept(call, bug);
    }

    private HttpResult defect(Call call, Throwable bug) {
        defectLog.accept(call, bug);
        return new HttpResult.Failure(
                ErrorCode.INTERNAL, ErrorCode.INTERNAL.description(), Certainty.UNKNOWN, AttemptTiming.NONE);
    }

    /** A 304 stands for a stored response, which is checked when the call ends with it. */
    private static HttpResult checkUsable(Call call, HttpResult received) {
        boolean checkable = received instanceof HttpResult.Response response
                && (response.status() != NOT_MODIFIED || call.progress().interceptor() == null);
        return checkable ? call.checkUsable((HttpResult.Response) received) : received;
    }

    static boolean isTimedOut(HttpResult result) {
        return result instanceof HttpResult.Failure failure
                && (failure.code() == ErrorCode.TIMEOUT || failure.code() == ErrorCode.CONNECT_TIMEOUT);
    }
}
