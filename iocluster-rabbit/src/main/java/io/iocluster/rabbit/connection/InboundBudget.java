package io.iocluster.rabbit.connection;

/**
 * Counts the bytes of messages that the source holds outside of calls: those being received, those that wait to be handed over,
 * and those that were released. Confined to the source's loop.
 */
public final class InboundBudget {

    private final long most;
    private long held;

    public InboundBudget(long most) {
        this.most = most;
    }

    /** Takes the bytes of a message. A message larger than the whole budget gets them if nothing else is held. */
    boolean tryReserve(long bytes) {
        if (!hasRoom(bytes)) {
            return false;
        }
        held += bytes;
        return true;
    }

    /** Returns whether {@link #tryReserve} would take these bytes now. */
    public boolean hasRoom(long bytes) {
        return held == 0 || held + bytes <= most;
    }

    /** Takes the bytes of a message that is already on the heap. */
    public void reserve(long bytes) {
        held += bytes;
    }

    public void release(long bytes) {
        held -= bytes;
    }

    long reservedBytes() {
        return held;
    }
}
