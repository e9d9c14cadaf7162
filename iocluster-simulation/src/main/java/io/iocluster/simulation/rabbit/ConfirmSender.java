package io.iocluster.simulation.rabbit;

import java.time.Duration;
import java.util.TreeSet;

/**
 * Sends the confirms of one channel. Confirms that come together are sent as RabbitMQ does: one with {@code multiple} for all below the
 * lowest unconfirmed message, and one for each other. A nack covers one message. Confined to the thread of the simulation.
 */
final class ConfirmSender {

    private static final long MAX_WAIT_NANOS = 2_000_000;

    private final ServerChannel channel;
    private final TreeSet<Long> unconfirmed = new TreeSet<>();
    private final TreeSet<Long> confirmed = new TreeSet<>();
    private boolean scheduled;

    ConfirmSender(ServerChannel channel) {
        this.channel = channel;
    }

    void published(long number) {
        unconfirmed.add(number);
    }

    void confirm(long number) {
        if (unconfirmed.remove(number)) {
            confirmed.add(number);
            if (!scheduled) {
                scheduled = true;
                SimulatedRabbit broker = channel.connection().broker();
                long wait = broker.simulation().random().nextLong(MAX_WAIT_NANOS);
                broker.simulation().after(Duration.ofNanos(wait), this::flush);
            }
        }
    }

    void refuse(long number) {
        if (unconfirmed.remove(number)) {
            channel.toClient(client -> client.nacked(number, false));
        }
    }

    private void flush() {
        scheduled = false;
        long lowest = unconfirmed.isEmpty() ? Long.MAX_VALUE : unconfirmed.first();
        Long last = confirmed.lower(lowest);
        if (last != null) {
            long upTo = last;
            boolean multiple = confirmed.first() < upTo;
            confirmed.headSet(upTo, true).clear();
            channel.toClient(client -> client.acked(upTo, multiple));
        }
        confirmed.forEach(number -> channel.toClient(client -> client.acked(number, false)));
        confirmed.clear();
    }
}
