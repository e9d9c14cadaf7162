package io.iocluster.rabbit.sink;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Remembers queues that do not exist, by the broker's last answer. Thread-safe. Producers choose these names, so the number is
 * bounded: the least recently used queue is removed for a new one, and every queue after a minute without use.
 */
final class MissingQueues {

    static final int MAX_QUEUES = 1_000;

    private static final Logger LOG = LoggerFactory.getLogger(MissingQueues.class);
    private static final long RECHECK_NANOS = Duration.ofSeconds(2).toNanos();
    private static final long UNUSED_NANOS = Duration.ofMinutes(1).toNanos();
    private static final int MAX_CHECKS_PER_RUN = 20;

    private final LongSupplier nanos;

    /** By name, least recently used first. */
    @GuardedBy("this")
    private final Map<String, Missing> queues = new LinkedHashMap<>(16, 0.75f, true);

    private volatile boolean empty = true;

    /** When the broker was last asked about the queue, and when a message last named it. */
    private static final class Missing {

        private long checkedNanos;
        private long usedNanos;
    }

    /** Asks the broker about queues. Blocks. */
    @FunctionalInterface
    interface Broker {

        /**
         * Returns whether the queue does not exist.
         *
         * @throws IOException if the broker does not answer
         */
        boolean isMissing(String queue) throws IOException;
    }

    /** @param nanos the clock */
    MissingQueues(LongSupplier nanos) {
        this.nanos = nanos;
    }

    synchronized void add(String queue) {
        Missing missing = queues.computeIfAbsent(queue, name -> new Missing());
        missing.checkedNanos = nanos.getAsLong();
        missing.usedNanos = missing.checkedNanos;
        if (queues.size() > MAX_QUEUES) {
            queues.remove(queues.keySet().iterator().next());
        }
        empty = false;
    }

    boolean contains(String queue) {
        return !empty && isRemembered(queue);
    }

    private synchronized boolean isRemembered(String queue) {
        Missing missing = queues.get(queue);
        if (missing == null) {
            return false;
        }
        missing.usedNanos = nanos.getAsLong();
        return true;
    }

    /**
     * Asks the broker about each queue whose last check is two seconds old, and removes those that exist now. If the broker does
     * not answer, the queue may exist, so it is removed too, and the next answer to it is published. Blocks.
     */
    void recheck(Broker broker) {
        for (String queue : due()) {
            try {
                if (!broker.isMissing(queue)) {
                    forget(queue);
                }
            } catch (IOException unanswered) {
                LOG.debug("Queue check failed queue={}", queue, unanswered);
                forget(queue);
                // The other checks would probably fail too, and each one takes time.
                return;
            }
        }
    }

    private synchronized List<String> due() {
        long now = nanos.getAsLong();
        queues.values().removeIf(missing -> now - missing.usedNanos >= UNUSED_NANOS);
        empty = queues.isEmpty();
        List<String> due = new ArrayList<>();
        for (Map.Entry<String, Missing> each : queues.entrySet()) {
            if (due.size() < MAX_CHECKS_PER_RUN && now - each.getValue().checkedNanos >= RECHECK_NANOS) {
                due.add(each.getKey());
                // Set before the check, so that the next run starts with other queues even if this run stops early.
                each.getValue().checkedNanos = now;
            }
        }
        return due;
    }

    private synchronized void forget(String queue) {
        queues.remove(queue);
        empty = queues.isEmpty();
    }
}
