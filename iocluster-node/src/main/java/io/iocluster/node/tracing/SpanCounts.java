package io.iocluster.node.tracing;

/** Counts the recorded spans since the start by what became of them. Thread-safe. */
public interface SpanCounts {

    /** Returns how many spans the collector accepted. */
    long exported();

    /** Returns how many spans were lost because the collector rejected them or was unreachable. */
    long failed();

    /** Returns how many spans were lost because the export queue was full. */
    long dropped();
}
