package io.iocluster.door.config;

/** What the door does with an asynchronous call that does not fit the spool. */
public enum SpoolFullPolicy {
    /** The caller gets 429. */
    REFUSE,
    /** The door drops the oldest calls that are not being forwarded. */
    DROP_OLDEST
}
