package io.iocluster.lab.bench.broker;

/** The load of a measurement, which decides whether a client batches messages. */
public enum LoadPattern {
    /** Maximum throughput: batch messages. */
    BACKLOG,
    /** Minimum latency: send each message at once. */
    STEADY
}
