package io.iocluster.testkit.contract;

import io.iocluster.transport.cluster.ClusterChannel;

/** A new topic or exchange of announcements on a broker, for one test. Confined to the test's thread. */
public interface ClusterChannelFixture extends AutoCloseable {

    /** Returns a channel of a node with this id, not yet started. All channels are members of the same cluster. */
    ClusterChannel newChannel(String nodeId);

    /** Publishes a record of any size as another program would, and returns when the broker has it. */
    void publish(byte[] record);

    /** Publishes this many records, like {@link #publish}. */
    void publishMany(byte[] record, int count);

    /** Kills the broker and keeps its data. */
    void killBroker();

    /** Restarts the broker with the same address and data. */
    void restartBroker();

    @Override
    void close();
}
