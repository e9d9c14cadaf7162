package io.iocluster.pipeline.call;

/**
 * Marks a call as held by a worker; compared by identity. Each worker has one hold for calls that wait for their attempt and one for
 * calls whose attempt has started. One compare-and-set decides between the start of an attempt and the removal of the call. Immutable.
 */
public final class Hold {

    private final CallOwner owner;

    public Hold(CallOwner owner) {
        this.owner = owner;
    }

    CallOwner owner() {
        return owner;
    }
}
