package io.iocluster.destination;

import io.iocluster.destination.AttemptTotals.LastError;
import io.iocluster.destination.limit.Breaker;
import io.iocluster.destination.policy.DestinationPolicy;
import io.iocluster.http.HttpResult;
import io.iocluster.http.HttpResult.Failure;
import io.iocluster.http.HttpResult.Response;
import io.iocluster.message.ErrorCode;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Counts the attempts at a destination, and records when it last started one, was delayed by the node, answered, or had
 * an error. Confined to its destination's lock.
 */
final class DestinationProgress {

    /** A destination that has only failed for this long counts as one that has never answered. */
    private static final long SILENT_NANOS = TimeUnit.SECONDS.toNanos(10);

    /** A destination that has never answered is failing if an attempt gets no answer for this long. */
    private static final long FIRST_ANSWER_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** A delay below this is never unusual. */
    private static final long MIN_UNUSUAL_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private static final int UNUSUAL_MULTIPLE = 4;

    /** Weight of one answer in the mean: one eighth, as in RFC 6298, section 2. */
    private static final int MEAN_ANSWERS = 8;

    private long started;
    private long ended;
    private long errors;
    private int lastErrorStatus;
    private ErrorCode lastErrorCode;
    private String lastErrorDetail = "";
    private long lastErrorNanos;
    private long startedNanos;
    /** When the attempts that are in flight began, after a time without any. */
    private long busyNanos;

    private long nodeFullNanos;
    private long answeredNanos;
    private boolean responsive;
    private long meanAnswerNanos;

    /** Whether an attempt timed out since the last answer because its call had waited for too long. */
    private boolean startingTooLate;

    /** Whether an attempt ended without an answer since the last one. */
    private boolean failedSinceAnswer;

    DestinationProgress(long nowNanos) {
        this.startedNanos = nowNanos;
        this.nodeFullNanos = nowNanos - DestinationRegistry.IDLE_EXPIRY_NANOS;
    }

    /** Records the start of an attempt. {@code inFlight} includes it. */
    void attemptStarted(long nowNanos, int inFlight) {
        started++;
        startedNanos = nowNanos;
        if (inFlight == 1) {
            busyNanos = nowNanos;
        }
    }

    AttemptTotals totals(long nowNanos) {
        LastError last = errors == 0
                ? null
                : new LastError(
                        lastErrorStatus, lastErrorCode, Duration.ofNanos(nowNanos - lastErrorNanos), lastErrorDetail);
        return new AttemptTotals(started, ended, errors, last);
    }

    /** Records that an attempt could have started if the node had had a slot for it. */
    void nodeFull(long nowNanos) {
        nodeFullNanos = nowNanos;
    }

    /** Records the end of an attempt, with or without an HTTP answer. */
    void attemptEnded(HttpResult result, DestinationPolicy policy, long attemptStartNanos, long nowNanos) {
        ended++;
        int status = result instanceof Response response ? response.status() : 0;
        if (status == 0 || policy.isError(status)) {
            errors++;
            lastErrorStatus = status;
            lastErrorCode = result instanceof Failure failure ? failure.code() : null;
            lastErrorDetail = result instanceof Failure failure
                            && !failure.message().equals(failure.code().description())
                    ? failure.message()
                    : "";
            lastErrorNanos = nowNanos;
        }
        if (status != 0) {
            long took = nowNanos - attemptStartNanos;
            meanAnswerNanos = meanAnswerNanos == 0 ? took : meanAnswerNanos + (took - meanAnswerNanos) / MEAN_ANSWERS;
            responsive = true;
            startingTooLate = false;
            failedSinceAnswer = false;
            answeredNanos = nowNanos;
            return;
        }
        failedSinceAnswer = true;
        if (nowNanos - answeredNanos > SILENT_NANOS) {
            responsive = false;
        }
    }

    /** Records the end of an attempt that timed out because its call had waited for too long. */
    void attemptExpired() {
        startingTooLate = true;
        failedSinceAnswer = true;
    }

    /** Returns whether calls start too late: since the last answer, an attempt timed out because its call had waited for too long. */
    boolean isStartingTooLate() {
        return startingTooLate;
    }

    /**
     * Returns the time without an answer that is unusual for the destination: four times the mean of its answers. A
     * caller may set a shorter timeout, which then says nothing about the destination.
     */
    long unusualNanos() {
        return meanAnswerNanos == 0
                ? FIRST_ANSWER_NANOS
                : Math.max(MIN_UNUSUAL_NANOS, UNUSUAL_MULTIPLE * meanAnswerNanos);
    }

    /** Returns whether the destination has answered, and has not only failed for ten seconds since. */
    boolean isResponsive() {
        return responsive;
    }

    /** Returns the mean time of the answers; 0 if there was none. */
    long meanAnswerNanos() {
        return meanAnswerNanos;
    }

    /** Returns whether attempts have been in flight for this time, and none was answered. Only if one is in flight now. */
    boolean isUnansweredFor(long nowNanos, long nanos) {
        return nowNanos - busyNanos > nanos && nowNanos - answeredNanos > nanos;
    }

    /**
     * Returns whether another attempt should find out if the target answers again: no attempt has started for a second, and the target has
     * not answered the last one that ended, or none for an unusual time.
     */
    boolean isProbeDue(long nowNanos) {
        return nowNanos - startedNanos >= Breaker.MAX_PROBE_INTERVAL.toNanos()
                && (failedSinceAnswer || isUnansweredFor(nowNanos, unusualNanos()));
    }

    /** Returns whether the node was full within this time. */
    boolean wasNodeFullWithin(long nowNanos, long nanos) {
        return nowNanos - nodeFullNanos <= nanos;
    }

    /**
     * Returns whether the queue makes progress. If calls may start now, the next one may wait until a call in flight
     * reaches its timeout.
     */
    boolean isProgressing(long nowNanos, DestinationPolicy policy, boolean acceptingCalls) {
        long backpressureNanos = policy.backpressureTimeout().toNanos();
        return hasStartedWithin(nowNanos, backpressureNanos)
                || (backpressureNanos > 0
                        && acceptingCalls
                        && hasStartedWithin(nowNanos, policy.timeout().toNanos()));
    }

    private boolean hasStartedWithin(long nowNanos, long nanos) {
        return nowNanos - startedNanos <= nanos;
    }
}
