package io.iocluster.kafka.source;

import io.iocluster.kafka.config.ConsumerFactory;
import io.iocluster.kafka.config.GroupMembers;
import io.iocluster.kafka.config.KafkaConnections;
import io.iocluster.kafka.config.KafkaSettings;
import io.iocluster.kafka.config.KafkaTopicAdmin;
import io.iocluster.kafka.delay.DelayedRetryForwarder;
import io.iocluster.kafka.ledger.OffsetDelivery;
import io.iocluster.kafka.ledger.PollThreadMailbox;
import io.iocluster.kafka.loop.RunningKafkaSource;
import io.iocluster.thread.Platform;
import io.iocluster.transport.Intake;
import io.iocluster.transport.source.LifecycleSource;

/** Reads requests as a member of a consumer group. Thread-safe. The work happens on the poll thread, in {@link PollLoop}. */
public final class KafkaSource extends LifecycleSource<RunningKafkaSource> {

    private final KafkaConnections connections;
    private final KafkaTopicAdmin topics;
    private final DelayedRetryForwarder forwarder;

    /**
     * Creates a source that is not started.
     *
     * @param forwarder moves delayed retries while the source runs; null if delayed retries are disabled
     */
    public KafkaSource(KafkaConnections connections, KafkaTopicAdmin topics, DelayedRetryForwarder forwarder) {
        this.connections = connections;
        this.topics = topics;
        this.forwarder = forwarder;
    }

    @Override
    public boolean isOnlyReader() {
        return new GroupMembers(connections, connections.settings().requests().group()).areAllOfThisNode();
    }

    @Override
    protected RunningKafkaSource create(Intake intake) {
        KafkaSettings settings = connections.settings();
        Platform platform = connections.platform();
        PollThreadMailbox<OffsetDelivery> mailbox = new PollThreadMailbox<>();
        EndOffsetMonitor ends = new EndOffsetMonitor(connections);
        AssignedPartitions assigned = new AssignedPartitions(settings, mailbox, ends, platform);
        ConsumerFactory consumers = new ConsumerFactory(
                "source",
                connections,
                topics,
                connections.properties()::consumer,
                settings.requests().maxMessageSize().bytes());
        PollLoop loop = new PollLoop(settings, consumers, mailbox, assigned, ends, intake, platform);
        return new RunningKafkaSource(loop, mailbox, forwarder, platform);
    }
}
