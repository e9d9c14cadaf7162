package io.iocluster.kafka.ledger;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayDeque;
import java.util.Iterator;

/**
 * Remembers the end offsets of a partition and when each was seen. A record at or after such an offset was written later than that
 * time. This bound does not rely on timestamps, which producers choose. Thread-safe.
 */
public final class EndOffsetHistory {

    /** Above this number, every second entry is dropped, which makes ages less exact. Enough for 10 minutes at 5 s. */
    static final int MAX_ENTRIES = 128;

    /** Sorted by offset and by time. */
    @GuardedBy("this")
    private final ArrayDeque<SeenEnd> seen = new ArrayDeque<>();

    private record SeenEnd(long offset, long nanos) {}

    /**
     * Adds an end offset.
     *
     * @param offset the offset of the next record
     * @param nanos monotonic nanoseconds before the request to the broker
     */
    public synchronized void add(long offset, long nanos) {
        SeenEnd last = seen.peekLast();
        if (last != null && last.offset() > offset) {
            seen.clear(); // The topic was created again, or an unclean election truncated the partition.
        } else if (last != null && last.offset() == offset) {
            seen.pollLast(); // The later time is the tighter bound.
        }
        seen.add(new SeenEnd(offset, nanos));
        if (seen.size() > MAX_ENTRIES) {
            dropEverySecondEntry();
        }
    }

    @GuardedBy("this")
    private void dropEverySecondEntry() {
        boolean keep = true;
        Iterator<SeenEnd> each = seen.iterator();
        while (each.hasNext()) {
            each.next();
            if (!keep) {
                each.remove();
            }
            keep = !keep;
        }
    }

    /**
     * Returns the maximum age of the records from this offset on, in nanoseconds, or {@link Long#MAX_VALUE} if it is unknown. Drops
     * entries that only earlier records need, so the offset must not decrease from call to call.
     */
    public synchronized long maxAgeNanos(long offset, long nowNanos) {
        SeenEnd bound = null;
        while (!seen.isEmpty() && seen.peek().offset() <= offset) {
            bound = seen.poll();
        }
        if (bound == null) {
            return Long.MAX_VALUE;
        }
        seen.addFirst(bound);
        return nowNanos - bound.nanos();
    }
}
