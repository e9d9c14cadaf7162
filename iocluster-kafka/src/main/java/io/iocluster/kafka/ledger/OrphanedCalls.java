package io.iocluster.kafka.ledger;

import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;

/**
 * Calls whose partition was taken away while they ran. Confined to the poll thread. If the record comes back to this node
 * it joins the running call, or is done at once if the call has been answered since; a record with another timestamp is
 * another one, in a topic made anew.
 */
public final class OrphanedCalls {

    private static final int MOST = 100_000;

    /** Either a delivery that runs, or the timestamp of one that is answered. */
    private final Map<TopicPartition, Map<Long, Object>> byPartition = new HashMap<>();

    private int size;

    /** Keeps what is in flight in a partition that is gone. */
    public void addInFlight(KafkaPartition partition) {
        KafkaDelivery delivery = partition.inFlight().first();
        while (delivery != null) {
            KafkaDelivery next = delivery.next;
            partition.inFlight().remove(delivery);
            put(delivery, delivery);
            delivery = next;
        }
    }

    /** An orphan was settled. */
    public void settle(KafkaDelivery delivery) {
        take(delivery.partition.id(), delivery.offset());
        if (delivery.isAcknowledged()) {
            put(delivery, delivery.timestampMillis());
        }
    }

    /** The partition is this node's again: below its committed offset nothing comes back. */
    public void discardBelow(TopicPartition partition, long committed) {
        Map<Long, Object> orphans = byPartition.get(partition);
        if (orphans != null) {
            int before = orphans.size();
            orphans.entrySet().removeIf(entry -> entry.getKey() < committed && entry.getValue() instanceof Long);
            size -= before - orphans.size();
        }
    }

    public boolean hasAny(TopicPartition partition) {
        Map<Long, Object> orphans = byPartition.get(partition);
        return orphans != null && !orphans.isEmpty();
    }

    /**
     * Takes out what is known of a record that was read.
     *
     * @return the delivery that runs, the timestamp of one that is answered, or null
     */
    public Object take(TopicPartition partition, long offset) {
        Map<Long, Object> orphans = byPartition.get(partition);
        Object orphan = orphans == null ? null : orphans.remove(offset);
        if (orphan != null) {
            size--;
            if (orphans.isEmpty()) {
                byPartition.remove(partition);
            }
        }
        return orphan;
    }

    private void put(KafkaDelivery delivery, Object value) {
        if (size >= MOST) {
            // Only a repeat is at stake, memory is not.
            byPartition.clear();
            size = 0;
        }
        Object before = byPartition
                .computeIfAbsent(delivery.partition.id(), id -> new HashMap<>())
                .put(delivery.offset(), value);
        size += before == null ? 1 : 0;
    }
}
