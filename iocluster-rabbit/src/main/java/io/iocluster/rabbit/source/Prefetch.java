package io.iocluster.rabbit.source;

import io.iocluster.rabbit.config.RabbitSettings.RequestQueueSettings;
import java.util.ArrayList;
import java.util.List;

/**
 * How many messages the broker may hand out before their acknowledgement: by the settings, else as many as there are places for
 * calls, and as many again for answers on their way; fewer where messages are large. Stateless.
 */
public final class Prefetch {

    /** What a quorum queue hands out to one consumer, so that more of them are needed beyond. */
    public static final int MAX_PER_CONSUMER = 2_000;

    /** So large a message is taken to be before the first has come. */
    static final long INITIAL_MESSAGE_BYTES = 4L << 20;

    static final PrefetchTarget NONE = new PrefetchTarget(0, 0);

    private Prefetch() {}

    /**
     * How much a source may hold.
     *
     * @param target most unacknowledged deliveries of its consumers
     * @param most most unacknowledged deliveries of the channel, those of cancelled consumers included; the target is lower
     *     only because of message sizes
     */
    record PrefetchTarget(int target, int max) {}

    /**
     * Returns the prefetch for a window and the mean size of a message. Leaves room for one more message, because the client
     * copies the body that it receives.
     *
     * @param calls places for calls
     * @param unconfirmed places for answers on their way
     */
    static PrefetchTarget target(RequestQueueSettings settings, int calls, int unconfirmed, long meanBytes) {
        int most = settings.prefetch() > 0 ? settings.prefetch() : calls + Math.min(calls, unconfirmed);
        long fitting = (settings.bufferBytes().bytes() - meanBytes) / Math.max(1, meanBytes);
        // In powers of two, so that it does not change with every message.
        return new PrefetchTarget((int) Math.min(most, Math.max(1, Long.highestOneBit(fitting))), most);
    }

    /** The same as one number for each consumer. */
    public static List<Integer> split(int prefetch) {
        List<Integer> parts = new ArrayList<>();
        for (int left = prefetch; left > 0; left -= MAX_PER_CONSUMER) {
            parts.add(Math.min(left, MAX_PER_CONSUMER));
        }
        return parts;
    }
}
