package io.iocluster.message;

/** Which outcomes the sender of an envelope wants to hear of. */
public enum ReplyMode {
    ALWAYS,
    FAILURES,
    NEVER
}
