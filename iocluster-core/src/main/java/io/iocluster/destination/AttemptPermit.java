package io.iocluster.destination;

import io.iocluster.http.HttpResult;

/**
 * One attempt's place at its destination, which its end gives back; a second end does nothing. From any thread.
 */
public final class AttemptPermit {

    private final Destination<?> destination;
    final long begunNanos;
    /** Whether it is one of the probes of a breaker that was open. */
    final boolean probe;
    /** The attempts in flight when it began, itself included. */
    final int inFlight;
    /** Bytes that the attempt reserved for its answer. */
    final long reserved;

    /** Written under the destination's lock. */
    private volatile boolean over;

    AttemptPermit(Destination<?> destination, long begunNanos, boolean probe, int inFlight, long reserved) {
        this.destination = destination;
        this.begunNanos = begunNanos;
        this.probe = probe;
        this.inFlight = inFlight;
        this.reserved = reserved;
    }

    /** The attempt has this result, from which the destination learns. */
    public void complete(HttpResult result) {
        synchronized (destination) {
            if (end()) {
                destination.completed(this, result);
            }
        }
    }

    /** The attempt has no result that would say something about the destination. */
    public void release() {
        if (over) {
            return;
        }
        synchronized (destination) {
            if (end()) {
                destination.released(this);
            }
        }
    }

    private boolean end() {
        if (over) {
            return false;
        }
        over = true;
        return true;
    }
}
