package io.iocluster.message;

/** For which outcomes of a call the node publishes an answer. Chosen by the envelope. */
public enum ReplyMode {
    ALWAYS,
    FAILURES,
    NEVER
}
