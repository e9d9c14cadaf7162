package io.iocluster.message;

/** The outcomes that an envelope's sender wants an answer for. */
public enum ReplyMode {
    ALWAYS,
    FAILURES,
    NEVER
}
