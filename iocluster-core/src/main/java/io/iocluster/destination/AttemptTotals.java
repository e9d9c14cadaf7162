package io.iocluster.destination;

import io.iocluster.message.ErrorCode;
import java.time.Duration;

/**
 * The attempts at a destination. All counts restart at zero if the node has forgotten the destination in between.
 * Immutable.
 *
 * @param started attempts started
 * @param ended attempts that ended with a result that says something about the destination
 * @param errors ended attempts without a response, or with a 4xx or 5xx that is not expected
 * @param lastError the latest of the errors; null before the first
 */
public record AttemptTotals(long started, long ended, long errors, LastError lastError) {

    /** The totals of a destination that was never called. */
    public static final AttemptTotals NONE = new AttemptTotals(0, 0, 0, null);

    /**
     * The latest error of a destination.
     *
     * @param status the HTTP status; 0 if there was no response
     * @param code why there was no response; null if there was one
     * @param age how long ago it occurred
     */
    public record LastError(int status, ErrorCode code, Duration age) {

        /** Returns {@code status 503}, or the name of an error code such as {@code connect-refused}. */
        public String reason() {
            return code == null ? "status " + status : code.wireName();
        }
    }
}
