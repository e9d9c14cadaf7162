package io.iocluster.door.call;

import io.iocluster.message.Answer;
import io.iocluster.message.AnswerDecoder;
import io.iocluster.message.Outcome;
import io.iocluster.message.SentStatus;
import io.iocluster.transport.TraceContext;
import java.util.regex.Pattern;

/** The result of a call. */
public sealed interface CallResult {

    /** Reads answers. Thread-safe. */
    AnswerDecoder DECODER = new AnswerDecoder();

    /** The codes that an answer may have, because everyone who may write to the answer queue chooses them. */
    Pattern ERROR_CODE = Pattern.compile("[a-z0-9-]{1,64}");

    /**
     * Returns the result of a call with this answer. A call that was rejected before any attempt becomes a failure, as if the door itself
     * had rejected it.
     *
     * @param answer the encoded answer
     * @param trace the trace context of the answer; null for none
     */
    static CallResult of(byte[] answer, TraceContext trace) {
        if (DECODER.readOutcome(answer) != Outcome.REJECTED) {
            return new Answered(answer, trace);
        }
        try {
            Answer rejected = DECODER.decode(answer);
            Answer.CallError error = rejected.error();
            boolean untried = error != null
                    && rejected.attempts() == 0
                    && error.sent() == SentStatus.NO
                    && error.code() != null
                    && ERROR_CODE.matcher(error.code()).matches()
                    && error.message() != null;
            return untried ? rejected(error.code(), error.message()) : new Answered(answer, trace);
        } catch (IllegalArgumentException invalid) {
            return new Answered(answer, trace);
        }
    }

    /** Returns the result of a call that the door or a node rejected before it was tried, with an error code of docs/errors.md. */
    static Failed rejected(String code, String message) {
        return new Failed(Reason.REJECTED, message, code);
    }

    /**
     * The call has an answer.
     *
     * @param answer the encoded answer; callers never write to the array
     * @param trace the trace context of the answer; null for none
     */
    record Answered(byte[] answer, TraceContext trace) implements CallResult {}

    /**
     * The call has no answer.
     *
     * @param message human-readable
     * @param code the error code of a {@linkplain Reason#REJECTED rejected} call; otherwise null
     */
    record Failed(Reason reason, String message, String code) implements CallResult {

        public Failed(Reason reason, String message) {
            this(reason, message, null);
        }
    }

    /** The reasons why a call has no answer. */
    enum Reason {
        /** The envelope is not valid, or a policy forbids the call. It was not tried. */
        REJECTED,
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
