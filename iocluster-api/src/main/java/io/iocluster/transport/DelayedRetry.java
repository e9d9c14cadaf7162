package io.iocluster.transport;

import io.iocluster.message.SentStatus;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Map;
import java.util.Set;

/**
 * How far a call had come when its message was put off. It travels with the message, in headers that are this program's alone,
 * so that whichever node reads it next goes on there (docs/adr/0013-delayed-retries-wait-in-the-broker.md).
 *
 * @param origin where the message stood first, which serves as the id of an envelope that has none
 * @param attempts made so far, 0 or more
 * @param sent whether the target may have seen one of them
 * @param queued when the message was put on its queue first, or null if nobody knows
 * @param deadline until when the call may last
 * @param due when it goes on
 */
public record DelayedRetry(
        String originCoordinates, int attempts, SentStatus sent, Instant queuedAt, Instant deadline, Instant dueAt) {

    private static final String ORIGIN = "iocluster-origin";
    private static final String ATTEMPTS = "iocluster-attempts";
    private static final String SENT = "iocluster-sent";
    private static final String QUEUED = "iocluster-queued-at";
    private static final String DEADLINE = "iocluster-deadline";
    /** The one that every message has which was put off. */
    public static final String DUE_AT = "iocluster-due-at";

    /** The names of the headers, which go no further than to the next node that reads the message. */
    public static final Set<String> HEADER_NAMES = Set.of(ORIGIN, ATTEMPTS, SENT, QUEUED, DEADLINE, DUE_AT);

    private static final int MOST_ATTEMPTS = 1_000;

    /** The headers, in UTF-8. Those of {@link #HEADER_NAMES} that are not among them must be taken away. */
    public Map<String, byte[]> toHeaders() {
        return Map.of(
                ORIGIN, utf8(originCoordinates),
                ATTEMPTS, utf8(Integer.toString(attempts)),
                SENT, utf8(sent.wireName()),
                QUEUED, utf8(queuedAt == null ? "" : queuedAt.toString()),
                DEADLINE, utf8(deadline.toString()),
                DUE_AT, utf8(dueAt.toString()));
    }

    /**
     * Reads the state from a delivery's headers. Returns null if the delivery is not a {@linkplain Delivery#isDelayedRetry delayed
     * retry}, whatever its headers say, or if its headers do not have the form of {@link #toHeaders}.
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
        String queued = delivery.header(QUEUED);
        String deadline = delivery.header(DEADLINE);
        if (origin == null || attempts == null || sent == null || queued == null || deadline == null) {
            return null;
        }
        try {
            return new DelayedRetry(
                    origin,
                    Math.min(MOST_ATTEMPTS, Math.max(0, Integer.parseInt(attempts))),
                    sent.equals(SentStatus.NO.wireName()) ? SentStatus.NO : SentStatus.MAYBE,
                    queued.isEmpty() ? null : instant(queued),
                    instant(deadline),
                    instant(due));
        } catch (NumberFormatException | DateTimeException notOurs) {
            return null;
        }
    }

    private static Instant instant(String text) {
        Instant instant = Instant.parse(text);
        if (instant.isBefore(Instant.EPOCH) || instant.getEpochSecond() > Integer.MAX_VALUE * 2L) {
            throw new DateTimeException("no time of our age: " + text);
        }
        return instant;
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
