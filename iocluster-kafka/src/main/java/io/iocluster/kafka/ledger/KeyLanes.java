package io.iocluster.kafka.ledger;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;

/**
 * Keeps requests of one topic and key in order: a lane has at most one delivery in flight, and others wait behind it.
 * Confined to the poll thread. Lanes outlive the assignment of their partition, so that a call that still runs when its
 * partition is assigned again holds its key. A record without a key has no lane.
 */
public final class KeyLanes {

    /** State of a delivery in its lane. */
    enum LaneState {
        /** It holds its lane, or has no key, and may be offered. */
        HOLDS_LANE,
        /** It waits until {@link #leave} passes the lane to it. */
        QUEUED,
        /** An earlier record of the key was released; this one must be read again after it. */
        BLOCKED
    }

    private final Map<Key, KeyLane> lanes = new HashMap<>();

    /** One topic and key. */
    static final class KeyLane {
        private final Key key;
        private final ArrayDeque<OffsetDelivery> waiting = new ArrayDeque<>(2);
        private OffsetDelivery holder;
        private KafkaPartition blockedBy;

        private KeyLane(Key key) {
            this.key = key;
        }
    }

    /** Requests the lane for the next delivery of a partition. */
    LaneState enter(OffsetDelivery delivery) {
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
        delivery.partition.addWaitingForKey(delivery);
        return LaneState.QUEUED;
    }

    /** Releases the lane of a settled delivery and passes it to the next waiting delivery. */
    public void leave(OffsetDelivery delivery) {
        KeyLane lane = delivery.lane;
        if (lane != null) {
            lane.holder = null;
            passOn(lane);
        }
    }

    /** Blocks the lane of a released delivery until {@link #reopen}. */
    void block(OffsetDelivery delivery) {
        KeyLane lane = delivery.lane;
        if (lane != null) {
            lane.holder = null;
            lane.blockedBy = delivery.partition;
        }
    }

    /**
     * Releases the waiting deliveries of this partition in its ledger, because it is read again from its lowest
     * released offset or was revoked. Its calls in flight keep their lanes.
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
            if (lane.holder != null && lane.holder.partition == partition && !lane.holder.accepted) {
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

    /** Returns the number of lanes in use. */
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
        lane.holder.partition.removeWaitingForKey(lane.holder);
        lane.holder.partition.addReady(lane.holder);
        return true;
    }

    /** A topic and key, compared by content. The hash code is computed once. */
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
