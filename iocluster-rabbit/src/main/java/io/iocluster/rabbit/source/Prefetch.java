package io.iocluster.rabbit.source;

import io.iocluster.rabbit.config.RabbitSettings.RequestQueueSettings;
import java.util.ArrayList;
import java.util.List;

/**
 * Calculates the prefetch: the configured value, or else one message for each call slot and as many again for unconfirmed
 * answers. Large messages lower it. Stateless.
 */
public final class Prefetch {

    /** A quorum queue delivers at most this many unacknowledged messages to one consumer; more need a second consumer. */
    public static final int MAX_PER_CONSUMER = 2_000;

    /** The assumed size of a message before the first delivery. */
    static final long INITIAL_MESSAGE_BYTES = 4L << 20;

    static final PrefetchTarget NONE = new PrefetchTarget(0, 0);

    private Prefetch() {}

    /**
     * How many unacknowledged deliveries a source may hold.
     *
     * @param target maximum of its consumers
     * @param max maximum of the channel, with the deliveries of cancelled consumers; the target is lower only because of
     *     message sizes
     */
    record PrefetchTarget(int target, int max) {}

    /**
     * Returns the prefetch for these slots and the mean size of a message. Leaves room for one more message, because the client
     * copies the body that it receives.
     *
     * @param calls slots for calls
     * @param unconfirmed slots for unconfirmed answers
     */
    static PrefetchTarget target(RequestQueueSettings settings, int calls, int unconfirmed, long meanBytes) {
        int max = settings.prefetch() > 0 ? settings.prefetch() : calls + Math.min(calls, unconfirmed);
        long fitting = (settings.bufferBytes().bytes() - meanBytes) / Math.max(1, meanBytes);
        // A power of two, so that the prefetch does not change with every message.
        return new PrefetchTarget((int) Math.min(max, Math.max(1, Long.highestOneBit(fitting))), max);
    }

    /** Splits the prefetch into one value for each consumer. */
    public static List<Integer> split(int prefetch) {
        List<Integer> parts = new ArrayList<>();
        for (int remaining = prefetch; remaining > 0; remaining -= MAX_PER_CONSUMER) {
            parts.add(Math.min(remaining, MAX_PER_CONSUMER));
        }
        return parts;
    }
}
