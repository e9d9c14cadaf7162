package io.iocluster.rabbit.source;

import io.iocluster.rabbit.ledger.RabbitDelivery;
import java.time.Duration;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/**
 * Holds released deliveries before their retry. Confined to the source's loop. The wait grows with the number of deliveries,
 * because the cause, such as an answer that cannot be published, may last.
 */
final class ReleaseBackoff {

    private static final long INITIAL_NANOS = Duration.ofMillis(200).toNanos();
    private static final long MAX_NANOS = Duration.ofSeconds(10).toNanos();
    private static final int MAX_DOUBLINGS = 6;

    private final RandomGenerator random;
    private final PriorityQueue<Release> waiting = new PriorityQueue<>(Comparator.comparingLong(Release::due));

    private record Release(RabbitDelivery delivery, long due) {}

    ReleaseBackoff(RandomGenerator random) {
        this.random = random;
    }

    /** Adds a delivery and returns its wait in nanoseconds. */
    long schedule(RabbitDelivery delivery, long now) {
        long range = Math.min(MAX_NANOS, INITIAL_NANOS << Math.min(delivery.earlierDeliveries(), MAX_DOUBLINGS));
        long wait = range / 2 + random.nextLong(range / 2 + 1);
        waiting.add(new Release(delivery, now + wait));
        return wait;
    }

    /** Removes the deliveries whose wait is over. */
    void drainDue(long now, Consumer<RabbitDelivery> consumer) {
        for (Release next = waiting.peek(); next != null && next.due() - now <= 0; next = waiting.peek()) {
            consumer.accept(waiting.remove().delivery());
        }
    }

    boolean isEmpty() {
        return waiting.isEmpty();
    }

    /** Removes all deliveries. */
    void drainTo(Consumer<RabbitDelivery> consumer) {
        waiting.forEach(release -> consumer.accept(release.delivery()));
        waiting.clear();
    }
}
