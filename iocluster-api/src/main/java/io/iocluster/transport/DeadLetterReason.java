package io.iocluster.transport;

import io.iocluster.message.BoundedText;
import io.iocluster.message.ErrorCode;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;

/**
 * The reason why a message became a dead letter.
 *
 * @param code a stable error code
 * @param message human-readable; one line; {@linkplain BoundedText bounded}
 */
public record DeadLetterReason(String code, String message) {

    /** The header that names the content of a dead letter whose payload is not the request. */
    public static final String CONTENT_HEADER = "iocluster-content";

    /** The value of {@link #CONTENT_HEADER} for an answer. */
    public static final String CONTENT_ANSWER = "answer";

    /** Maximum number of characters of the message in the smallest dead letter. */
    private static final int MAX_BRIEF_CHARS = 100;

    public DeadLetterReason {
        message = BoundedText.truncate(message);
    }

    /** Returns the reason for a delayed request that does not fit the topic to which due requests are forwarded. */
    public static DeadLetterReason delayedRetryTooLarge(String problem) {
        return new DeadLetterReason(ErrorCode.DELAYED_RETRY_TOO_LARGE.wireName(), problem);
    }

    /** Returns the reason with the shortened message of the smallest dead letter. */
    public DeadLetterReason brief() {
        return new DeadLetterReason(code, BoundedText.truncate(message, MAX_BRIEF_CHARS));
    }

    /**
     * Returns the headers that every transport adds to a dead letter, in UTF-8.
     *
     * @param coordinates the message's {@link Delivery#coordinates}
     * @param node the id of the node that publishes the dead letter
     */
    public Map<String, byte[]> headers(String coordinates, String node, Instant failedAt) {
        return Map.of(
                "iocluster-error-code", utf8(code),
                "iocluster-error", utf8(message),
                "iocluster-source", utf8(coordinates),
                "iocluster-node", utf8(node),
                "iocluster-failed-at", utf8(failedAt.toString()));
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
