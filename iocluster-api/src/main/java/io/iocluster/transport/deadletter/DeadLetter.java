package io.iocluster.transport.deadletter;

import io.iocluster.transport.DeadLetterReason;
import io.iocluster.transport.TruncatableMessage;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Map;

/**
 * One dead letter that a node published. Immutable.
 *
 * @param position identifies it among the dead letters; never changes
 * @param headers all its headers as text
 * @param payload not modified
 */
public record DeadLetter(String position, Map<String, String> headers, byte[] payload) {

    /** The header that marks a replayed request. Its value is the position of the dead letter. */
    public static final String REPLAYED_HEADER = "iocluster-replayed";

    private static final String CODE_HEADER = "iocluster-error-code";

    public DeadLetter {
        headers = Map.copyOf(headers);
    }

    /** Returns whether a message with these headers is a dead letter of a node. */
    public static boolean isDeadLetter(Map<String, String> headers) {
        return headers.containsKey(CODE_HEADER);
    }

    /** Returns the error code. */
    public String code() {
        return headers.get(CODE_HEADER);
    }

    /** Returns the reason for people. */
    public String error() {
        return headers.getOrDefault("iocluster-error", "");
    }

    /** Returns where the request was read from. */
    public String source() {
        return headers.getOrDefault("iocluster-source", "");
    }

    /** Returns when the request became a dead letter; null if that is unknown. */
    public Instant failedAt() {
        try {
            return Instant.parse(headers.getOrDefault("iocluster-failed-at", ""));
        } catch (DateTimeException unknown) {
            return null;
        }
    }

    /** Returns why the request cannot be replayed; null if it can. */
    public String obstacle() {
        if (DeadLetterReason.CONTENT_ANSWER.equals(headers.get(DeadLetterReason.CONTENT_HEADER))) {
            return "it holds an answer and not the request";
        }
        String truncated = headers.get(TruncatableMessage.TRUNCATED);
        return truncated == null ? null : "it is truncated: " + truncated;
    }
}
