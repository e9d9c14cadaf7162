package io.iocluster.destination;

import io.iocluster.message.ErrorCode;
import io.iocluster.status.StatusField;
import java.time.Duration;

/**
 * The attempts at a destination. All counts restart at zero if the node has forgotten the destination in between.
 * Immutable.
 */
public record AttemptTotals(
        @StatusField(
                name = "attempts",
                doc = "attempts started; restarts at zero if the destination was evicted and called again")
        long started,

        @StatusField(
                name = "endedAttempts",
                doc = "attempts that ended, except those whose result says nothing about the destination")
        long ended,

        @StatusField(doc = "ended attempts without a response, or with a 4xx or 5xx that is not in `expected-statuses`")
        long errors,

        @StatusField(nullable = true, doc = "the latest of the errors; null before the first")
        LastError lastError) {

    /** The totals of a destination that was never called. */
    public static final AttemptTotals NONE = new AttemptTotals(0, 0, 0, null);

    /**
     * The latest error of a destination.
     *
     * @param status the HTTP status; 0 if there was no response
     * @param code why there was no response; null if there was one
     * @param detail what the code does not say, for people; empty if nothing more is known
     */
    public record LastError(
            int status,
            ErrorCode code,

            @StatusField(name = "ageMillis", doc = "how long ago it occurred")
            Duration age,

            String detail) {

        /** Creates an error about which nothing more is known. */
        public LastError(int status, ErrorCode code, Duration age) {
            this(status, code, age, "");
        }

        /** Returns {@code status 503}, or the name of an error code such as {@code connect-refused}. */
        @StatusField(doc = "`status 503`, or an error code such as `connect-refused`")
        public String reason() {
            return code == null ? "status " + status : code.wireName();
        }
    }
}
