package io.iocluster.rabbit.sink;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The queues that have their own connection because they blocked others. Confined to the publisher's loop, except for {@link #count}.
 * Producers choose the names, so the number is bounded.
 */
final class IsolatedQueues {

    /** Beyond that, a queue stays with the others. It still has few unconfirmed messages there. */
    static final int MAX_QUEUES = 1_000;

    /** A queue returns after this time without a late or refused message: longer than the node waits to publish an answer again. */
    static final long RETURN_NANOS = Duration.ofSeconds(15).toNanos();

    private static final Logger LOG = LoggerFactory.getLogger(IsolatedQueues.class);

    private final Map<String, Isolation> queues = new HashMap<>();
    private volatile int count;

    /** When the queue was isolated, and when it last blocked others. */
    private static final class Isolation {

        private final long sinceNanos;
        private long lateNanos;

        Isolation(long now) {
            this.sinceNanos = now;
            this.lateNanos = now;
        }
    }

    /** Returns the number of isolated queues. Any thread. */
    int count() {
        return count;
    }

    boolean isEmpty() {
        return queues.isEmpty();
    }

    boolean contains(String queue) {
        return !queues.isEmpty() && queues.containsKey(queue);
    }

    /** Adds a queue. Returns false if the maximum is reached. */
    boolean add(String queue, int unconfirmed, String reason, long now) {
        if (queues.size() >= MAX_QUEUES) {
            return false;
        }
        queues.put(queue, new Isolation(now));
        count = queues.size();
        LOG.warn("Queue isolated queue={} unconfirmed={} reason={}", queue, unconfirmed, reason);
        return true;
    }

    /** Records that a queue still confirms nothing, if it is isolated. */
    void recordLate(String queue, long now) {
        Isolation isolation = queues.get(queue);
        if (isolation != null) {
            isolation.lateNanos = now;
        }
    }

    /**
     * Removes the queues that have not been late for {@link #RETURN_NANOS}.
     *
     * @param late whether a queue would block others now, or whether that is unknown
     * @return the removed queues
     */
    List<String> removeRecovered(Predicate<String> late, long now) {
        List<String> recovered = new ArrayList<>(0);
        queues.forEach((queue, isolation) -> {
            if (late.test(queue)) {
                isolation.lateNanos = now;
            } else if (now - isolation.lateNanos >= RETURN_NANOS) {
                recovered.add(queue);
            }
        });
        for (String queue : recovered) {
            Isolation ended = queues.remove(queue);
            LOG.info(
                    "Queue returned from isolation queue={} isolatedSeconds={}",
                    queue,
                    Duration.ofNanos(now - ended.sinceNanos).toSeconds());
        }
        count = queues.size();
        return recovered;
    }
}
