package io.iocluster.rabbit.source;

import io.iocluster.rabbit.ledger.RabbitDelivery;
import java.time.Duration;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;

/**
 * Deliveries that were released, each for a wait that grows with how often it was handed out: what keeps its answer from being
 * published may last. Confined to the source's loop.
 */
final class ReleaseBackoff {

    private static final long FIRST_NANOS = Duration.ofMillis(200).toNanos();
    private static final long MOST_NANOS = Duration.ofSeconds(10).toNanos();
    private static final int MOST_DOUBLINGS = 6;

    private final PriorityQueue<Release> waiting = new PriorityQueue<>(Comparator.comparingLong(Release::due));

    private record Release(RabbitDelivery delivery, long due) {}

    /** Says how long it waits, in nanoseconds. */
    long schedule(RabbitDelivery delivery, long now) {
        long range = Math.min(MOST_NANOS, FIRST_NANOS << Math.min(delivery.earlierDeliveries(), MOST_DOUBLINGS));
        long wait = range / 2 + ThreadLocalRandom.current().nextLong(range / 2 + 1);
        waiting.add(new Release(delivery, now + wait));
        return wait;
    }

    /** Passes on those that have waited. */
    void drainDue(long now, Consumer<RabbitDelivery> taker) {
        for (Release next = waiting.peek(); next != null && next.due() - now <= 0; next = waiting.peek()) {
            taker.accept(waiting.remove().delivery());
        }
    }

    boolean isEmpty() {
        return waiting.isEmpty();
    }

    /** Removes all waiting releases. */
    void drainTo(Consumer<RabbitDelivery> taker) {
        waiting.forEach(release -> taker.accept(release.delivery()));
        waiting.clear();
    }
}
