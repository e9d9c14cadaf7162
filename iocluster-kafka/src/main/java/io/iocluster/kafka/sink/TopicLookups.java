package io.iocluster.kafka.sink;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.iocluster.kafka.sink.TopicDescriber.Description;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the broker about topics, many at a time: while it answers one batch, the next one is collected. Thread-safe. Senders choose
 * the names, so the number of waiting names is bounded; a name beyond it is not asked for and has to be requested again.
 */
final class TopicLookups {

    private static final Logger LOG = LoggerFactory.getLogger(TopicLookups.class);

    static final int MAX_BATCH = 200;
    static final int MAX_WAITING = 10_000;

    private final TopicDescriber describer;
    private final ResultListener listener;
    /** The topics that wait, and the topics of the batch that was sent. */
    private final Set<String> requested = ConcurrentHashMap.newKeySet();

    @GuardedBy("this")
    private final Set<String> waiting = new LinkedHashSet<>();

    @GuardedBy("this")
    private boolean sent;

    /** Receives what the broker answers. */
    @FunctionalInterface
    interface ResultListener {

        /** @param found the answers; a topic without an answer is missing */
        void described(List<String> topics, Map<String, Description> found);
    }

    TopicLookups(TopicDescriber describer, ResultListener listener) {
        this.describer = describer;
        this.listener = listener;
    }

    /** Asks about the topic, unless that has been requested and not answered. Any thread; does not block. */
    void request(String topic) {
        if (!describer.isOpen() || !requested.add(topic)) {
            return;
        }
        synchronized (this) {
            if (waiting.size() >= MAX_WAITING) {
                requested.remove(topic);
                return;
            }
            waiting.add(topic);
        }
        sendNext();
    }

    private void sendNext() {
        List<String> batch = takeBatch();
        if (!batch.isEmpty()) {
            describe(batch).whenComplete((found, bug) -> {
                try {
                    listener.described(batch, bug == null ? found : Map.of());
                } finally {
                    batch.forEach(requested::remove);
                    batchEnded();
                }
            });
        }
    }

    private CompletionStage<Map<String, Description>> describe(List<String> batch) {
        try {
            return describer.describe(batch);
        } catch (RuntimeException | Error bug) {
            // A batch that never ended would stop all later ones.
            LOG.error("Topics not described because of a defect", bug);
            return CompletableFuture.completedFuture(Map.of());
        }
    }

    private synchronized List<String> takeBatch() {
        List<String> batch = new ArrayList<>();
        if (sent) {
            return batch;
        }
        for (Iterator<String> each = waiting.iterator(); each.hasNext() && batch.size() < MAX_BATCH; ) {
            batch.add(each.next());
            each.remove();
        }
        sent = !batch.isEmpty();
        return batch;
    }

    private void batchEnded() {
        synchronized (this) {
            sent = false;
        }
        sendNext();
    }
}
