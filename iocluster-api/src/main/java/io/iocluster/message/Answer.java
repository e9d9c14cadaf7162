package io.iocluster.message;

import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * The result of one call, as the sender reads it; {@code docs/envelope.md} is the contract. Immutable; callers never
 * write to {@code body}.
 *
 * @param id the request's id
 * @param outcome never null
 * @param status the HTTP status, 0 unless answered
 * @param headers as received, names in lower case, never null
 * @param body as received up to the limit, never null
 * @param truncated whether the body was cut at the limit
 * @param unusable the reason why the answer is not usable by the call's rule, such as {@code no-match}; null if it is usable or
 *     no rule applies
 * @param error null if answered
 * @param attempts number of attempts made
 * @param node the id of the node that answers
 * @param timing never null; {@link Timing#NONE} if the node leaves it out
 * @param context the request's context as raw JSON, or null
 * @param branch the index of the scatter branch that this answers, from 0; {@link #NO_BRANCH} if it is not a branch
 * @param results one result for each scatter branch, in the request's order, without id, node and context; empty for a
 *     single call and for {@link Scatter.GatherMode#ANY}
 * @param cache how the node's cache was used; null if the destination has no cache, or if the call cannot use it
 */
public record Answer(
        String id,
        Outcome outcome,
        int status,
        List<Header> headers,
        byte[] body,
        boolean truncated,
        String unusable,
        CallError error,
        int attempts,
        String node,
        Timing timing,
        String context,
        int branch,
        List<Answer> results,
        CacheUse cache) {

    /** The value of {@link #branch} for an answer that is not a scatter branch. */
    public static final int NO_BRANCH = -1;

    public Answer {
        results = List.copyOf(results);
    }

    /** Creates an answer for which the node's cache was not used. */
    public Answer(
            String id,
            Outcome outcome,
            int status,
            List<Header> headers,
            byte[] body,
            boolean truncated,
            String unusable,
            CallError error,
            int attempts,
            String node,
            Timing timing,
            String context,
            int branch,
            List<Answer> results) {
        this(
                id, outcome, status, headers, body, truncated, unusable, error, attempts, node, timing, context, branch,
                results, null);
    }

    /** Creates the answer to a single call that no rule for usable answers applies to. */
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
                id, outcome, status, headers, body, truncated, null, error, attempts, node, timing, context, NO_BRANCH,
                List.of());
    }

    /** Returns a copy that says how the node's cache was used; null if it was not used. */
    public Answer withCache(CacheUse use) {
        return use == cache
                ? this
                : new Answer(
                        id, outcome, status, headers, body, truncated, unusable, error, attempts, node, timing, context,
                        branch, results, use);
    }

    /** Returns a copy without timing, also in its results. */
    public Answer withoutTiming() {
        return new Answer(
                id,
                outcome,
                status,
                headers,
                body,
                truncated,
                unusable,
                error,
                attempts,
                node,
                Timing.NONE,
                context,
                branch,
                results.stream().map(Answer::withoutTiming).toList(),
                cache);
    }

    /** Returns a copy whose body is this start of the body. Marks the copy as truncated if the start is shorter than the body. */
    public Answer withTruncatedBody(byte[] start) {
        return new Answer(
                id,
                outcome,
                status,
                headers,
                start,
                truncated || start.length < body.length,
                unusable,
                error,
                attempts,
                node,
                timing,
                context,
                branch,
                results,
                cache);
    }

    /** Returns a copy with other results. */
    public Answer withResults(List<Answer> others) {
        return new Answer(
                id, outcome, status, headers, body, truncated, unusable, error, attempts, node, timing, context, branch,
                others, cache);
    }

    /** Returns the body as UTF-8 text; malformed bytes become U+FFFD. */
    public String text() {
        return new String(body, StandardCharsets.UTF_8);
    }

    /** Returns the first value of this HTTP header, or null. The name is case-insensitive. */
    public String header(String name) {
        for (Header header : headers) {
            if (header.name().equalsIgnoreCase(name)) {
                return header.value();
            }
        }
        return null;
    }

    /** Returns the stable error code, or null if there is no error. */
    public String errorCode() {
        return error == null ? null : error.code();
    }

    /**
     * The reason why there is no HTTP status.
     *
     * @param code the stable error code
     * @param message human-readable, not stable; {@linkplain BoundedText bounded}
     * @param sent whether the target may have received the call
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
     * Durations in milliseconds; 0 for a phase that did not happen.
     *
     * @param queuedMs from the record's timestamp to the start of the call
     * @param totalMs from the start of the call to the end of its last attempt
     * @param dnsMs of the last attempt, like the durations that follow
     */
    public record Timing(long queuedMs, long totalMs, long dnsMs, long connectMs, long tlsMs, long firstByteMs) {

        public static final Timing NONE = new Timing(0, 0, 0, 0, 0, 0);
    }

    /**
     * How the node's cache was used for a call.
     *
     * @param hit whether the response comes from the cache, or from the attempt of an identical call
     * @param ageMs time since the target produced the response, as far as the node knows; 0 unless {@code hit}
     * @param stale whether the response has expired and is used because the target failed
     */
    public record CacheUse(boolean hit, long ageMs, boolean stale) {

        /** The response comes from an attempt of this call. */
        public static final CacheUse MISS = new CacheUse(false, 0, false);
    }

    /** Omits the content of headers and body, because they may hold data that must not be logged. */
    @Override
    public String toString() {
        return "Answer[" + id + " " + outcome.wireName() + " " + (error == null ? status : error.code()) + ", "
                + body.length + " bytes]";
    }
}
