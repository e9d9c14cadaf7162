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
 * Remembers queues that do not exist, by the broker's last answer. Producers choose these names, so the memory is bounded: the
 * queue that was unused for longest makes room for a new one, and a queue that is unused for a minute is forgotten. For any thread.
 */
final class MissingQueues {

    static final int MOST = 1_000;

    private static final Logger LOG = LoggerFactory.getLogger(MissingQueues.class);
    private static final long ASKED_AGAIN_NANOS = Duration.ofSeconds(2).toNanos();
    private static final long UNUSED_NANOS = Duration.ofMinutes(1).toNanos();
    private static final int MOST_ASKED_AT_ONCE = 20;

    private final LongSupplier nanos;

    /** By name, in the order of their last use. */
    @GuardedBy("this")
    private final Map<String, Missing> queues = new LinkedHashMap<>(16, 0.75f, true);

    private volatile boolean empty = true;

    /** The times of the last question to the broker and of the last message for the queue. */
    private static final class Missing {

        private long askedNanos;
        private long usedNanos;
    }

    /** Asks the broker whether a queue does not exist. May block. */
    @FunctionalInterface
    interface Broker {

        /** @throws IOException if the broker does not answer */
        boolean isMissing(String queue) throws IOException;
    }

    /** @param nanos the clock */
    MissingQueues(LongSupplier nanos) {
        this.nanos = nanos;
    }

    synchronized void add(String queue) {
        Missing missing = queues.computeIfAbsent(queue, name -> new Missing());
        missing.askedNanos = nanos.getAsLong();
        missing.usedNanos = missing.askedNanos;
        if (queues.size() > MOST) {
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
     * Asks the broker about the queues about which it was not asked for two seconds, and forgets those that exist. If the broker does
     * not answer for one, forgets that queue too, because it may exist: the next answer to it is published. Blocks.
     */
    void recheck(Broker broker) {
        for (String queue : due()) {
            try {
                if (!broker.isMissing(queue)) {
                    forget(queue);
                }
            } catch (IOException unanswered) {
                LOG.debug("No answer whether a queue exists queue={}", queue, unanswered);
                forget(queue);
                // The broker may answer for none of the others either, and each question takes time.
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
            if (due.size() < MOST_ASKED_AT_ONCE && now - each.getValue().askedNanos >= ASKED_AGAIN_NANOS) {
                due.add(each.getKey());
                // Others have their turn next time even if this round ends early.
                each.getValue().askedNanos = now;
            }
        }
        return due;
    }

    private synchronized void forget(String queue) {
        queues.remove(queue);
        empty = queues.isEmpty();
    }
}
