package io.iocluster.rabbit;

/**
 * Counts the bytes of messages that the source holds outside of calls: those being received, those that wait to be handed over,
 * and those that were released. Confined to the source's loop.
 */
final class InboundBudget {

    private final long most;
    private long held;

    InboundBudget(long most) {
        this.most = most;
    }

    /** Takes the bytes of a message. A message larger than the whole budget gets them if nothing else is held. */
    boolean tryTake(long bytes) {
        if (!hasRoom(bytes)) {
            return false;
        }
        held += bytes;
        return true;
    }

    /** Returns whether {@link #tryTake} would take these bytes now. */
    boolean hasRoom(long bytes) {
        return held == 0 || held + bytes <= most;
    }

    /** Takes the bytes of a message that is already on the heap. */
    void take(long bytes) {
        held += bytes;
    }

    void giveBack(long bytes) {
        held -= bytes;
    }

    long held() {
        return held;
    }
}
