package io.iocluster.kafka.ledger;

import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;

/**
 * Calls whose partition was revoked while they ran. Confined to the poll thread. If this node reads the record again,
 * the record joins the running call, or is completed at once if the call has been answered since. A record with another
 * timestamp belongs to a recreated topic.
 */
public final class OrphanedCalls {

    private static final int MAX_ORPHANS = 100_000;

    /** By offset: the delivery of a running call, or the timestamp of an answered one. */
    private final Map<TopicPartition, Map<Long, Object>> byPartition = new HashMap<>();

    private int size;

    /** Adds the calls in flight of a revoked partition. */
    public void addInFlight(KafkaPartition partition) {
        OffsetDelivery delivery = partition.inFlight().first();
        while (delivery != null) {
            OffsetDelivery next = delivery.next;
            partition.inFlight().remove(delivery);
            put(delivery, delivery);
            delivery = next;
        }
    }

    /** Records the settlement of an orphan. */
    public void settle(OffsetDelivery delivery) {
        take(delivery.partition.id(), delivery.offset());
        if (delivery.isAcknowledged()) {
            put(delivery, delivery.timestampMillis());
        }
    }

    /** Discards answered calls below the committed offset, because their records are not read again. */
    public void discardBelow(TopicPartition partition, long committed) {
        Map<Long, Object> orphans = byPartition.get(partition);
        if (orphans != null) {
            int before = orphans.size();
            orphans.entrySet().removeIf(entry -> entry.getKey() < committed && entry.getValue() instanceof Long);
            size -= before - orphans.size();
        }
    }

    /** Returns whether the partition has orphans. */
    public boolean hasAny(TopicPartition partition) {
        Map<Long, Object> orphans = byPartition.get(partition);
        return orphans != null && !orphans.isEmpty();
    }

    /**
     * Removes the orphan of a record that was read again.
     *
     * @return the delivery of a running call, the timestamp of an answered one, or null
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

    private void put(OffsetDelivery delivery, Object value) {
        if (size >= MAX_ORPHANS) {
            // Without its orphan, a record is only redelivered; the memory must stay bounded.
            byPartition.clear();
            size = 0;
        }
        Object before = byPartition
                .computeIfAbsent(delivery.partition.id(), id -> new HashMap<>())
                .put(delivery.offset(), value);
        size += before == null ? 1 : 0;
    }
}
