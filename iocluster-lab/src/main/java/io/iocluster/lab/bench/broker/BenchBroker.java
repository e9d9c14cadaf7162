package io.iocluster.lab.bench.broker;

/** A broker process that all rounds share. Confined to the main thread. */
public interface BenchBroker extends AutoCloseable {

    /** Returns the broker and the kind of its queues, for reports. */
    String title();

    /** Returns the process id, for measuring. */
    long pid();

    /** Creates queues with this number of partitions, if the broker has partitions. */
    BenchQueues newQueues(int partitions);

    /** Returns the usual number of partitions of a topic; 0 if the broker has none. */
    int partitions();

    @Override
    void close();
}
