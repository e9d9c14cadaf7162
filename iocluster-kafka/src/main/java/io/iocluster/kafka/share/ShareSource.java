package io.iocluster.kafka.share;

import io.iocluster.kafka.config.KafkaConnections;
import io.iocluster.kafka.config.KafkaTopicAdmin;
import io.iocluster.kafka.config.ShareConsumerFactory;
import io.iocluster.kafka.config.ShareGroupAdmin;
import io.iocluster.kafka.delay.DelayedRetryForwarder;
import io.iocluster.kafka.ledger.PollThreadMailbox;
import io.iocluster.kafka.loop.RunningKafkaSource;
import io.iocluster.transport.Intake;
import io.iocluster.transport.source.LifecycleSource;

/** Reads requests as members of a share group. Thread-safe. */
public final class ShareSource extends LifecycleSource<RunningKafkaSource> {

    private final KafkaConnections connections;
    private final KafkaTopicAdmin topics;
    private final DelayedRetryForwarder forwarder;

    /**
     * Creates a source that is not started.
     *
     * @param forwarder moves delayed retries while the source runs; null if delayed retries are disabled
     */
    public ShareSource(KafkaConnections connections, KafkaTopicAdmin topics, DelayedRetryForwarder forwarder) {
        this.connections = connections;
        this.topics = topics;
        this.forwarder = forwarder;
    }

    @Override
    protected RunningKafkaSource create(Intake intake) {
        PollThreadMailbox<ShareDelivery> fetched = new PollThreadMailbox<>();
        ShareLoop loop = new ShareLoop(
                connections.settings(),
                new ShareConsumerFactory(
                        connections,
                        topics,
                        connections.settings().requests().maxMessageSize().bytes()),
                new ShareGroupAdmin(connections),
                fetched,
                new ShareLagMonitor(connections),
                intake,
                connections.platform());
        return new RunningKafkaSource(loop, fetched, forwarder, connections.platform());
    }
}
