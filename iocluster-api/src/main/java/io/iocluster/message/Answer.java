package io.iocluster.message;

import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * What became of one call, as its sender will read it; see the contract in {@code docs/envelope.md}.
 *
 * @param id the request's id
 * @param outcome never null
 * @param status the HTTP status, 0 unless answered
 * @param headers as received, names in lower case, never null
 * @param body as received up to the limit, never null
 * @param truncated whether the body was cut off at the limit
 * @param error null if answered
 * @param attempts how many times the call was tried
 * @param node which node answers
 * @param timing never null
 * @param context the request's, raw JSON or null
 * @param branch which of several calls this answers, counted from 0; {@link #NO_BRANCH} where it is not one of several
 * @param results what became of each of several calls, in the request's order, without id, node and context; empty for
 *     one call, and where one of several was enough
 */
public record Answer(
        String id,
        Outcome outcome,
        int status,
        List<Header> headers,
        byte[] body,
        boolean truncated,
        CallError error,
        int attempts,
        String node,
        Timing timing,
        String context,
        int branch,
        List<Answer> results) {

    /** No call of several. */
    public static final int NO_BRANCH = -1;

    public Answer {
        results = List.copyOf(results);
    }

    /** The answer to one call. */
    public Answer(
            String id,
            Outcome outcome,
            int status,
            List<Header> headers,
            byte[] body,
            boolean truncated,
            CallError error,
            int attempts,
            String node,
            Timing timing,
            String context) {
        this(
                id, outcome, status, headers, body, truncated, error, attempts, node, timing, context, NO_BRANCH,
                List.of());
    }

    /** The body as text; bytes that are not UTF-8 are replaced. */
    public String text() {
        return new String(body, StandardCharsets.UTF_8);
    }

    /** The first value of the HTTP header with this name, in any case of letters; null if there is none. */
    public String header(String name) {
        for (Header header : headers) {
            if (header.name().equalsIgnoreCase(name)) {
                return header.value();
            }
        }
        return null;
    }

    /** The stable code of the error; null if there is none. */
    public String errorCode() {
        return error == null ? null : error.code();
    }

    /**
     * Why there is no HTTP status.
     *
     * @param code stable
     * @param message for people; not stable; {@linkplain BoundedText bounded}
     * @param sent whether the target may have seen the call
     */
    public record CallError(String code, String message, SentStatus sent) {

        public CallError {
            message = BoundedText.truncate(message);
        }

        public CallError(ErrorCode code, String message, SentStatus sent) {
            this(code.wireName(), message, sent);
        }
    }

    /**
     * Where the time went, in milliseconds; 0 for what did not happen.
     *
     * @param queuedMs from the record's timestamp to its start
     * @param totalMs from the record's start to the end of its last attempt
     * @param dnsMs of the last attempt, like those that follow
     */
    public record Timing(long queuedMs, long totalMs, long dnsMs, long connectMs, long tlsMs, long firstByteMs) {

        public static final Timing NONE = new Timing(0, 0, 0, 0, 0, 0);
    }

    /** Everything but headers and body, which may hold what no log should. */
    @Override
    public String toString() {
        return "Answer[" + id + " " + outcome.wireName() + " " + (error == null ? status : error.code()) + ", "
                + body.length + " bytes]";
    }
}
