package io.iocluster.kafka.client;

import io.iocluster.client.spi.ClientTransport;
import io.iocluster.kafka.KafkaTransport;
import io.iocluster.kafka.config.KafkaConnections;
import io.iocluster.kafka.config.KafkaSettings;
import io.iocluster.kafka.config.KafkaSettings.AnswerTopicSettings;
import io.iocluster.kafka.config.KafkaSettings.RequestTopicSettings;
import io.iocluster.settings.DataSize;
import io.iocluster.transport.RequestSource;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.KafkaException;

/**
 * Kafka transport of a client. Publishes requests to one topic and reads answers from another one, without a consumer
 * group, from the time of connecting. Ignores answers to other clients. Immutable.
 */
public final class KafkaClientTransport implements ClientTransport {

    private final KafkaSettings settings;
    private final boolean ownAnswers;

    private KafkaClientTransport(KafkaSettings settings, boolean ownAnswers) {
        this.settings = settings;
        this.ownAnswers = ownAnswers;
    }

    /**
     * Returns a transport with the default topics of a node: {@code iocluster.requests} and {@code iocluster.answers}.
     *
     * @param bootstrapServers {@code host:port}, separated by commas
     */
    public static KafkaClientTransport at(String bootstrapServers) {
        KafkaSettings defaults = KafkaSettings.DEFAULTS;
        return new KafkaClientTransport(
                with(bootstrapServers, defaults.requests(), defaults.answers(), defaults.properties()), false);
    }

    /** Returns a copy with another request topic. */
    public KafkaClientTransport requests(String topic) {
        return new KafkaClientTransport(
                with(
                        settings.bootstrapServers(),
                        requestTopic(topic, settings.requests().group()),
                        settings.answers(),
                        settings.properties()),
                ownAnswers);
    }

    /**
     * Returns a copy with another answer topic, which each request then names in {@code replyTo}. Nodes must allow it
     * in {@code kafka.answers.reply-to}, unless it is their {@code kafka.answers.topic}. With a topic for each team,
     * its clients do not have to read the answers of all teams.
     */
    public KafkaClientTransport answers(String topic) {
        return new KafkaClientTransport(
                with(
                        settings.bootstrapServers(),
                        settings.requests(),
                        new AnswerTopicSettings(topic, List.of()),
                        settings.properties()),
                true);
    }

    /** Returns a copy with these properties of the Kafka clients, such as {@code security.protocol}. */
    public KafkaClientTransport properties(Map<String, String> properties) {
        return new KafkaClientTransport(
                with(settings.bootstrapServers(), settings.requests(), settings.answers(), properties), ownAnswers);
    }

    private static RequestTopicSettings requestTopic(String topic, String group) {
        // The largest limit, because an answer that is dropped for its size is lost.
        return new RequestTopicSettings(
                List.of(topic),
                group,
                KafkaSettings.RequestMode.CONSUMER,
                1,
                KafkaSettings.AutoOffsetReset.EARLIEST,
                KafkaSettings.Ordering.NONE,
                DataSize.ofMebibytes(KafkaSettings.MAX_MESSAGE_MEBIBYTES),
                Map.of());
    }

    private static KafkaSettings with(
            String bootstrapServers,
            RequestTopicSettings requests,
            AnswerTopicSettings answers,
            Map<String, String> properties) {
        KafkaSettings defaults = KafkaSettings.DEFAULTS;
        return new KafkaSettings(
                bootstrapServers,
                requests,
                answers,
                defaults.deadLetters(),
                defaults.delayed(),
                defaults.cluster(),
                defaults.createTopics(),
                properties,
                defaults.commitInterval(),
                defaults.commitBatchSize(),
                defaults.maxUncommittedOffsets(),
                defaults.bufferRecords(),
                defaults.bufferBytes(),
                defaults.revokeTimeout(),
                defaults.lagInterval(),
                defaults.confirmTimeout());
    }

    @Override
    public String name() {
        return "kafka";
    }

    @Override
    public String defaultReplyTo() {
        return ownAnswers ? settings.answers().topic() : null;
    }

    /**
     * Connects as {@link ClientTransport#connect} describes.
     *
     * @throws io.iocluster.settings.InvalidSettingsException if the Kafka clients cannot be created with the properties,
     *     for example because an optional library is not on the class path
     */
    @Override
    public ClientConnection connect(String clientName) throws IOException {
        settings.requireUsableClients();
        KafkaConnections connections = KafkaConnections.ofSystem(settings, clientName);
        KafkaAnswerConsumer answers;
        try {
            answers = new KafkaAnswerConsumer(connections, true);
        } catch (KafkaException failed) {
            throw new IOException("kafka: " + failed.getMessage(), failed);
        }
        return new ClientConnection(new KafkaRequestPublisher(connections), answers, defaultReplyTo());
    }

    /** Creates a source that reads answers as a member of a consumer group, like a node reads requests. */
    @Override
    public RequestSource newAnswerSource(String clientName, String group) {
        KafkaSettings answerSettings = with(
                settings.bootstrapServers(),
                requestTopic(settings.answers().topic(), group),
                new AnswerTopicSettings(settings.requests().topics().get(0), List.of()),
                settings.properties());
        return new KafkaTransport(KafkaConnections.ofSystem(answerSettings, clientName)).source();
    }

    /** Returns the addresses and topics, without the properties, which may contain secrets. */
    @Override
    public String toString() {
        return "KafkaClientTransport[" + settings.bootstrapServers() + ", "
                + settings.requests().topics().get(0) + ", "
                + settings.answers().topic() + "]";
    }
}
