package io.iocluster.lab.bench.queue;

/** A broker process that all rounds share. Confined to the main thread. */
public interface BenchBroker extends AutoCloseable {

    /** Returns the broker and the kind of its queues, for reports. */
    String title();

    /** Returns the process id, for measuring. */
    long pid();

    BenchQueues newQueues();

    @Override
    void close();
}
