package io.iocluster.node.tracing;

/** Counts of recorded spans since the start, by result. Thread-safe. */
public interface SpanCounts {

    /** Returns the number of spans that the collector accepted. */
    long exported();

    /** Returns the number of spans that the collector rejected or that did not reach it. */
    long failed();

    /** Returns the number of spans dropped because the export queue was full. */
    long dropped();
}
