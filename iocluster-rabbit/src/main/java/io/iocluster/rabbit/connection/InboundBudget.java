package io.iocluster.rabbit.connection;

/**
 * Counts the bytes of messages that the source holds outside of calls: messages being received, messages that wait for the intake,
 * and released messages. Confined to the source's loop.
 */
public final class InboundBudget {

    private final long limit;
    private long reserved;

    public InboundBudget(long limit) {
        this.limit = limit;
    }

    /** Reserves the bytes of a message, if they fit. A message larger than the whole budget fits if nothing else is held. */
    boolean tryReserve(long bytes) {
        if (!hasFreeBytes(bytes)) {
            return false;
        }
        reserved += bytes;
        return true;
    }

    /** Returns whether {@link #tryReserve} would succeed now. */
    public boolean hasFreeBytes(long bytes) {
        return reserved == 0 || reserved + bytes <= limit;
    }

    /** Reserves the bytes of a message that is already on the heap, even if they do not fit. */
    public void reserve(long bytes) {
        reserved += bytes;
    }

    public void release(long bytes) {
        reserved -= bytes;
    }

    long reservedBytes() {
        return reserved;
    }
}
