package io.iocluster.kafka.source;

import io.iocluster.kafka.config.ClientProperties;
import io.iocluster.kafka.config.ConsumerFactory;
import io.iocluster.kafka.config.GroupMembers;
import io.iocluster.kafka.config.KafkaSettings;
import io.iocluster.kafka.config.KafkaTopicAdmin;
import io.iocluster.kafka.delay.DelayedRetryForwarder;
import io.iocluster.kafka.ledger.OffsetDelivery;
import io.iocluster.kafka.ledger.PollThreadMailbox;
import io.iocluster.kafka.loop.RunningKafkaSource;
import io.iocluster.transport.Intake;
import io.iocluster.transport.source.LifecycleSource;

/** Reads requests as a member of a consumer group. Thread-safe. The work happens on the poll thread, in {@link PollLoop}. */
public final class KafkaSource extends LifecycleSource<RunningKafkaSource> {

    private final KafkaSettings settings;
    private final ClientProperties properties;
    private final KafkaTopicAdmin topics;
    private final DelayedRetryForwarder forwarder;

    /**
     * Creates a source that is not started.
     *
     * @param forwarder moves delayed retries while the source runs; null if delayed retries are disabled
     */
    public KafkaSource(
            KafkaSettings settings,
            ClientProperties properties,
            KafkaTopicAdmin topics,
            DelayedRetryForwarder forwarder) {
        this.settings = settings;
        this.properties = properties;
        this.topics = topics;
        this.forwarder = forwarder;
    }

    @Override
    public boolean isOnlyReader() {
        return new GroupMembers(properties, settings.requests().group()).areAllOfThisNode();
    }

    @Override
    protected RunningKafkaSource create(Intake intake) {
        PollThreadMailbox<OffsetDelivery> mailbox = new PollThreadMailbox<>();
        EndOffsetMonitor ends = new EndOffsetMonitor(settings, properties);
        AssignedPartitions assigned = new AssignedPartitions(settings, mailbox, ends);
        ConsumerFactory consumers = new ConsumerFactory(
                "source",
                properties,
                topics,
                properties::consumer,
                settings.requests().maxMessageSize().bytes());
        PollLoop loop = new PollLoop(settings, consumers, mailbox, assigned, ends, intake);
        return new RunningKafkaSource(loop, mailbox, forwarder);
    }
}
