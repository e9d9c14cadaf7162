package io.iocluster.kafka.share;

import io.iocluster.kafka.config.ClientProperties;
import io.iocluster.kafka.config.KafkaSettings;
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

    private final KafkaSettings settings;
    private final ClientProperties properties;
    private final KafkaTopicAdmin topics;
    private final DelayedRetryForwarder forwarder;

    /**
     * Creates a source that is not started.
     *
     * @param forwarder moves delayed retries while the source runs; null if delayed retries are disabled
     */
    public ShareSource(
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
    protected RunningKafkaSource create(Intake intake) {
        PollThreadMailbox<ShareDelivery> fetched = new PollThreadMailbox<>();
        ShareLoop loop = new ShareLoop(
                settings,
                new ShareConsumerFactory(
                        properties, topics, settings.requests().maxMessageSize().bytes()),
                new ShareGroupAdmin(settings, properties),
                fetched,
                new ShareLagMonitor(settings, properties),
                intake);
        return new RunningKafkaSource(loop, fetched, forwarder);
    }
}
