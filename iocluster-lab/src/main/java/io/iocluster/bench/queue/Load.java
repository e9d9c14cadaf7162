package io.iocluster.bench.queue;

/** What a measurement asks for, which tells a client whether to gather messages. */
public enum Load {
    /** As many calls a second as can be. */
    BACKLOG,
    /** Each call as soon as can be. */
    STEADY
}
