package io.iocluster.node.tracing;

/** What has become of the spans that were to be kept, since the start. From any thread. */
public interface SpanCounts {

    /** The collector has them. */
    long exported();

    /** The collector did not take them, or could not be reached. */
    long failed();

    /** There was no room for them in the queue to the collector. */
    long dropped();
}
