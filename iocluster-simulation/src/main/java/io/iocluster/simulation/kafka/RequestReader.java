package io.iocluster.simulation.kafka;

import io.iocluster.kafka.ledger.OffsetDelivery;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.TopicPartition;

/** What one process has read of the request topics. Owned by the simulated broker. */
final class RequestReader {

    private final Map<TopicPartition, OffsetDelivery> offered = new HashMap<>();
    private final Map<TopicPartition, Map<Long, OffsetDelivery>> accepted = new HashMap<>();
    private final Map<TopicPartition, Set<Long>> held = new HashMap<>();
    private boolean commitOpen;

    /** Records that a message is offered to the node. Returns false if it was refused before and is offered again. */
    boolean offered(OffsetDelivery delivery) {
        OffsetDelivery before = offered.put(delivery.partition.id(), delivery);
        return before != delivery;
    }

    /** Records that the node has accepted a message. Returns its last delivery of the same message; null if there is none. */
    OffsetDelivery accepted(TopicPartition partition, OffsetDelivery delivery) {
        held.computeIfAbsent(partition, any -> new HashSet<>()).add(delivery.offset());
        return accepted.computeIfAbsent(partition, any -> new HashMap<>()).put(delivery.offset(), delivery);
    }

    private OffsetDelivery find(TopicPartition partition, long offset) {
        return accepted.getOrDefault(partition, Map.of()).get(offset);
    }

    /** Returns whether the node has the message, or had it and has settled it. */
    boolean has(TopicPartition partition, long offset) {
        OffsetDelivery delivery = find(partition, offset);
        return delivery != null && !delivery.isWithdrawn();
    }

    /** Returns whether the node has settled the message. */
    boolean hasSettled(TopicPartition partition, long offset) {
        OffsetDelivery delivery = find(partition, offset);
        return delivery != null && delivery.isAcknowledged();
    }

    /**
     * Records that the node no longer owns these partitions, although it continues. If it gets them back, it joins the calls that are still
     * open, but reads again what it had settled and could not commit.
     */
    void revoked(Collection<TopicPartition> partitions) {
        held.keySet().removeAll(partitions);
        partitions.forEach(partition ->
                accepted.getOrDefault(partition, new HashMap<>()).values().removeIf(OffsetDelivery::isAcknowledged));
    }

    /** Records that a commit is on its way. It stays open if it fails. */
    void commitSent() {
        commitOpen = true;
    }

    /** Records that the node reads no more: what it settles from now on goes back to the queue. */
    void closing() {
        held.forEach((partition, offsets) -> offsets.removeIf(offset -> !hasSettled(partition, offset)));
    }

    void committed(TopicPartition partition, SettledOffsets settled) {
        commitOpen = false;
        held.computeIfAbsent(partition, any -> new HashSet<>()).removeIf(settled::contains);
    }

    /** Returns how many settled messages of its partitions the node has not committed, although it could. */
    int uncommitted() {
        int count = 0;
        for (Map.Entry<TopicPartition, Set<Long>> each : held.entrySet()) {
            for (long offset : each.getValue()) {
                count += hasSettled(each.getKey(), offset) ? 1 : 0;
            }
        }
        return commitOpen ? 0 : count;
    }
}
