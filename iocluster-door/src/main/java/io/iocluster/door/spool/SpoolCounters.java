package io.iocluster.door.spool;

import java.util.concurrent.atomic.AtomicInteger;

/** Counts what happened to stored calls. Written by the spool's thread, except for {@link #waiting}. */
final class SpoolCounters {

    /** Forwarded calls that have not ended. */
    final AtomicInteger waiting = new AtomicInteger();

    long accepted;
    long forwarded;
    long expired;
    long dropped;
    long refused;
    long failed;

    SpoolStatus status(SpoolIndex index, long nowMillis) {
        SpoolEntry oldest = index.oldest();
        return new SpoolStatus(
                index.stored() + index.forwarding(),
                index.bytes(),
                index.forwarding(),
                Math.max(0, waiting.get() - index.forwarding()),
                oldest == null ? 0 : Math.max(0, nowMillis - oldest.acceptedMillis) / 1_000.0,
                accepted,
                forwarded,
                expired,
                dropped,
                refused,
                failed);
    }
}
