package io.iocluster.lab.bench.queue;

/** A broker that all rounds share, a process of its own. Used by the bench's main thread. */
public interface BenchBroker extends AutoCloseable {

    /** What it is and how its queues are, for reports. */
    String title();

    /** The process id, for those who measure it. */
    long pid();

    BenchQueues newQueues();

    @Override
    void close();
}
