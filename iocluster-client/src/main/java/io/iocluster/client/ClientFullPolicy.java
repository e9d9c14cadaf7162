package io.iocluster.client;

/** What a client does with a call above its limit of outstanding calls. */
public enum ClientFullPolicy {
    /** Fails the call at once with a {@link ClientFullException}. Never blocks. */
    FAIL,
    /** Blocks the calling thread until there is a permit, at most until the call's deadline. Not for event loops. */
    BLOCK
}
