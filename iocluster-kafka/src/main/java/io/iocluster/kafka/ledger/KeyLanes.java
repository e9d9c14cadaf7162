package io.iocluster.kafka.ledger;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;

/**
 * Keeps requests of one topic and key in order: a lane has at most one delivery in flight, and others wait behind it.
 * Confined to the poll thread. Lanes outlive the assignment of their partition, so that a call that still runs when its
 * partition comes back holds its key. A record without a key has no lane.
 */
public final class KeyLanes {

    /** What a delivery may do. */
    enum LaneState {
        /** It holds its lane, or needs none, and may be handed over. */
        HOLDS_LANE,
        /** It waits in its lane until {@link #leave} gives it the lane. */
        QUEUED,
        /** One before it was released: it has to be read again after that one. */
        BLOCKED
    }

    private final Map<Key, KeyLane> lanes = new HashMap<>();

    /** One topic and key. */
    static final class KeyLane {
        private final Key key;
        private final ArrayDeque<KafkaDelivery> waiting = new ArrayDeque<>(2);
        private KafkaDelivery holder;
        private KafkaPartition blockedBy;

        private KeyLane(Key key) {
            this.key = key;
        }
    }

    /** Asks for the lane of the delivery that is next in its partition. */
    LaneState enter(KafkaDelivery delivery) {
        byte[] bytes = delivery.message().key();
        if (bytes == null || (delivery.lane != null && delivery.lane.holder == delivery)) {
            return LaneState.HOLDS_LANE;
        }
        KeyLane lane = lanes.computeIfAbsent(new Key(delivery.message().topic(), bytes), KeyLane::new);
        if (lane.blockedBy != null) {
            return LaneState.BLOCKED;
        }
        delivery.lane = lane;
        if (lane.holder == null) {
            lane.holder = delivery;
            return LaneState.HOLDS_LANE;
        }
        lane.waiting.add(delivery);
        delivery.partition.parked(delivery);
        return LaneState.QUEUED;
    }

    /** The holder is done with; whoever waits first holds the lane now and is ready in its partition. */
    public void leave(KafkaDelivery delivery) {
        KeyLane lane = delivery.lane;
        if (lane != null) {
            lane.holder = null;
            passOn(lane);
        }
    }

    /** The holder was released: until {@link #reopen} nobody of its key passes. */
    void block(KafkaDelivery delivery) {
        KeyLane lane = delivery.lane;
        if (lane != null) {
            lane.holder = null;
            lane.blockedBy = delivery.partition;
        }
    }

    /**
     * Gives back to the ledger what waits here from this partition, because it is read again from its lowest released
     * offset or was taken away. Its calls in flight keep their lanes.
     */
    void reopen(KafkaPartition partition) {
        for (Iterator<KeyLane> all = lanes.values().iterator(); all.hasNext(); ) {
            KeyLane lane = all.next();
            lane.waiting.removeIf(delivery -> {
                if (delivery.partition == partition) {
                    partition.ledger().release(delivery.offset());
                }
                return delivery.partition == partition;
            });
            if (lane.holder != null && lane.holder.partition == partition && !lane.holder.handedOver) {
                lane.holder = null;
            }
            if (lane.blockedBy == partition) {
                lane.blockedBy = null;
            }
            if (isFree(lane) && !takeNext(lane)) {
                all.remove();
            }
        }
    }

    public int size() {
        return lanes.size();
    }

    private void passOn(KeyLane lane) {
        if (isFree(lane) && !takeNext(lane)) {
            lanes.remove(lane.key);
        }
    }

    private static boolean isFree(KeyLane lane) {
        return lane.holder == null && lane.blockedBy == null;
    }

    private static boolean takeNext(KeyLane lane) {
        lane.holder = lane.waiting.poll();
        if (lane.holder == null) {
            return false;
        }
        lane.holder.partition.unparked(lane.holder);
        lane.holder.partition.addReady(lane.holder);
        return true;
    }

    /** Equal by content; the hash is taken once. */
    private static final class Key {
        private final String topic;
        private final byte[] bytes;
        private final int hash;

        Key(String topic, byte[] bytes) {
            this.topic = topic;
            this.bytes = bytes;
            this.hash = 31 * topic.hashCode() + Arrays.hashCode(bytes);
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Key key && topic.equals(key.topic) && Arrays.equals(bytes, key.bytes);
        }

        @Override
        public int hashCode() {
            return hash;
        }
    }
}
