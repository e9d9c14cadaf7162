package io.iocluster.transport;

import io.iocluster.message.SentStatus;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Map;
import java.util.Set;

/**
 * The state of a call whose retry is delayed by the broker. It travels in {@linkplain ReservedHeaders reserved headers}
 * of the message, so that the node that reads the message next continues the call
 * (docs/adr/0013-delayed-retries-wait-in-the-broker.md).
 *
 * @param originCoordinates the {@link Delivery#coordinates} of the first delivery; they replace a missing envelope id
 * @param attempts number of attempts made so far, 0 to 1000
 * @param sent whether the target may have received one of these attempts
 * @param queuedAt when the message was first put on its queue, or null if the broker did not say
 * @param deadline when the call's deadline passes
 * @param dueAt when the call continues
 */
public record DelayedRetry(
        String originCoordinates, int attempts, SentStatus sent, Instant queuedAt, Instant deadline, Instant dueAt) {

    private static final String ORIGIN = "iocluster-origin";
    private static final String ATTEMPTS = "iocluster-attempts";
    private static final String SENT = "iocluster-sent";
    private static final String QUEUED_AT = "iocluster-queued-at";
    private static final String DEADLINE = "iocluster-deadline";
    /** The header that every delayed message has: when its call continues. */
    public static final String DUE_AT = "iocluster-due-at";

    /** The names of all headers that hold this state. Only nodes read and write them. */
    public static final Set<String> HEADER_NAMES = Set.of(ORIGIN, ATTEMPTS, SENT, QUEUED_AT, DEADLINE, DUE_AT);

    private static final int MAX_ATTEMPTS = 1_000;

    /**
     * Returns the state as headers, in UTF-8. They replace any header of {@link #HEADER_NAMES} that the message has.
     */
    public Map<String, byte[]> toHeaders() {
        return Map.of(
                ORIGIN, utf8(originCoordinates),
                ATTEMPTS, utf8(Integer.toString(attempts)),
                SENT, utf8(sent.wireName()),
                QUEUED_AT, utf8(queuedAt == null ? "" : queuedAt.toString()),
                DEADLINE, utf8(deadline.toString()),
                DUE_AT, utf8(dueAt.toString()));
    }

    /**
     * Reads the state from a delivery's headers. Returns null if the delivery is not a {@linkplain
     * Delivery#isDelayedRetry delayed retry}, or if a header of {@link #HEADER_NAMES} is missing or malformed.
     */
    public static DelayedRetry fromHeaders(Delivery delivery) {
        if (!delivery.isDelayedRetry()) {
            return null;
        }
        String due = delivery.header(DUE_AT);
        if (due == null) {
            return null;
        }
        String origin = delivery.header(ORIGIN);
        String attempts = delivery.header(ATTEMPTS);
        String sent = delivery.header(SENT);
        String queued = delivery.header(QUEUED_AT);
        String deadline = delivery.header(DEADLINE);
        if (origin == null || attempts == null || sent == null || queued == null || deadline == null) {
            return null;
        }
        try {
            return new DelayedRetry(
                    origin,
                    Math.min(MAX_ATTEMPTS, Math.max(0, Integer.parseInt(attempts))),
                    sent.equals(SentStatus.NO.wireName()) ? SentStatus.NO : SentStatus.MAYBE,
                    queued.isEmpty() ? null : instant(queued),
                    instant(deadline),
                    instant(due));
        } catch (NumberFormatException | DateTimeException malformed) {
            return null;
        }
    }

    private static Instant instant(String text) {
        Instant instant = Instant.parse(text);
        if (instant.isBefore(Instant.EPOCH) || instant.getEpochSecond() > Integer.MAX_VALUE * 2L) {
            throw new DateTimeException("time is out of range: " + text);
        }
        return instant;
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
