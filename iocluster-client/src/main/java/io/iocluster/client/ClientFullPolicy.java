package io.iocluster.client;

/** What a client does with one more call when as many are outstanding as may be. */
public enum ClientFullPolicy {
    /** Refuses it at once with a {@link ClientFullException}. The caller is never held up. */
    FAIL,
    /** Holds the calling thread up until there is a place, at most until the call's deadline. Not for event loops. */
    BLOCK
}
