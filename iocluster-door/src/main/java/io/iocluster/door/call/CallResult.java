package io.iocluster.door.call;

import io.iocluster.transport.TraceContext;

/** The result of a call. */
public sealed interface CallResult {

    /**
     * The call has an answer, whatever its outcome.
     *
     * @param answer the encoded answer; callers never write to the array
     * @param trace the trace context of the answer; null for none
     */
    record Answered(byte[] answer, TraceContext trace) implements CallResult {}

    /**
     * The call has no answer.
     *
     * @param message human-readable
     */
    record Failed(Reason reason, String message) implements CallResult {}

    /** The reasons why a call has no answer. */
    enum Reason {
        /** Too many calls are open; this one was not made. */
        FULL,
        /** No answer arrived before the deadline. The target may have received the call. */
        EXPIRED,
        /** The broker did not accept the call, or the door stops. The target may have received the call. */
        UNAVAILABLE,
        /** The spool is full; this call was not made. */
        SPOOL_FULL,
        /** The spool was full and dropped this call before it was forwarded. */
        DROPPED,
        /** The call's message became a dead letter. */
        DEAD_LETTER,
        /** The answer on the queue is not JSON. The target may have received the call. */
        INVALID_ANSWER
    }
}
