package io.iocluster.http;

import io.iocluster.message.SentStatus;

/**
 * What is known about an attempt when it ends, from the least to the most that the target may have done. Decides the answer's {@code sent}
 * and whether the request may be sent again. An attempt never claims more than the bytes on the wire prove.
 */
public enum Certainty {
    /** No byte of the request reached a connection to the target. */
    NOT_SENT,
    /**
     * The target said that it did not process the request: an HTTP/2 GOAWAY below its stream, or a stream that it refused (RFC 9113,
     * section 8.7).
     */
    NOT_PROCESSED,
    /** The target may have processed the request, and nothing of a final response has arrived. */
    UNKNOWN,
    /** The status of a final response has arrived, but not all of the response. */
    ANSWERED_IN_PART,
    /** The whole response has arrived. */
    ANSWERED;

    /** Returns the value of {@code sent} in an answer. */
    public SentStatus sent() {
        return isUnprocessed() ? SentStatus.NO : SentStatus.MAYBE;
    }

    /** Returns whether the target has certainly not processed the request, so that any request may be sent again. */
    public boolean isUnprocessed() {
        return this == NOT_SENT || this == NOT_PROCESSED;
    }
}
