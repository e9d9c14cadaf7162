package io.iocluster.kafka.ledger;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayDeque;
import java.util.Iterator;

/**
 * Remembers when a partition had which end offset. A record behind an end offset that was seen earlier was written after that time,
 * whatever its timestamp says: producers choose timestamps. Thread-safe.
 */
public final class EndOffsetHistory {

    /** If there are more, every second one is forgotten, which makes bounds looser. Enough for 10 minutes at 5 s. */
    static final int MAX_ENTRIES = 128;

    /** Ascending in both. */
    @GuardedBy("this")
    private final ArrayDeque<SeenEnd> seen = new ArrayDeque<>();

    private record SeenEnd(long offset, long nanos) {}

    /**
     * Adds an end offset.
     *
     * @param offset the first offset that no record had
     * @param nanos {@link System#nanoTime} before the broker was asked
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
            forgetEverySecond();
        }
    }

    @GuardedBy("this")
    private void forgetEverySecond() {
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
     * Returns the age that the records from this offset on have at most, in nanoseconds, or {@link Long#MAX_VALUE} if it is not known.
     * Forgets what only bounds earlier records, so the offset must not decrease.
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
