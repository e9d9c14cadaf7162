package io.iocluster.lab.bench.queue;

/** What a measurement asks for, which tells a client whether to gather messages. */
public enum LoadPattern {
    /** As many calls a second as can be. */
    BACKLOG,
    /** Each call as soon as can be. */
    STEADY
}
