package io.iocluster.node.cluster;

import io.iocluster.transport.cluster.ClusterChannel;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;

/**
 * The instances that have sent one record. They become nodes with their second record, so that single invented records have no effect.
 * Confined to its owner's lock.
 */
public final class Candidates {

    /** As many as may arrive in three seconds, so that invented records do not push out a node before its second record. */
    public static final int MAX = 3 * ClusterChannel.MAX_RECORDS_PER_SECOND;

    /** The arrival time of each instance's record, oldest first. */
    private final Map<String, Long> seenNanos = new LinkedHashMap<>();

    /** Removes an instance. Returns whether it was a candidate. */
    public boolean remove(String instance) {
        return seenNanos.remove(instance) != null;
    }

    /**
     * Adds an instance. If there are already {@value #MAX}, evicts the oldest one.
     *
     * @return the arrival time of the evicted instance's record, in nanoseconds; empty if none was evicted
     */
    public OptionalLong add(String instance, long now) {
        OptionalLong forgotten = OptionalLong.empty();
        if (seenNanos.size() >= MAX) {
            Iterator<Long> oldest = seenNanos.values().iterator();
            forgotten = OptionalLong.of(oldest.next());
            oldest.remove();
        }
        seenNanos.put(instance, now);
        return forgotten;
    }

    /** Removes the instances whose record arrived at this time or before, and returns their number. */
    public int removeUntil(long nanos) {
        int removed = 0;
        for (Iterator<Long> oldest = seenNanos.values().iterator(); oldest.hasNext() && oldest.next() - nanos <= 0; ) {
            oldest.remove();
            removed++;
        }
        return removed;
    }
}
