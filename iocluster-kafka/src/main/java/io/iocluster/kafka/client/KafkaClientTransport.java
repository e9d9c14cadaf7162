package io.iocluster.kafka.client;

import io.iocluster.client.spi.ClientTransport;
import io.iocluster.kafka.KafkaTransport;
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
 * Kafka, as a client of the cluster uses it. Requests go to one topic; answers are read from another, without a group from the moment
 * of connecting on, and those of other clients are passed over. Immutable.
 */
public final class KafkaClientTransport implements ClientTransport {

    private final KafkaSettings settings;
    private final boolean ownAnswers;

    private KafkaClientTransport(KafkaSettings settings, boolean ownAnswers) {
        this.settings = settings;
        this.ownAnswers = ownAnswers;
    }

    /**
     * The topics that nodes use unless they are told otherwise: {@code iocluster.requests} and {@code iocluster.answers}.
     *
     * @param bootstrapServers {@code host:port}, several with commas
     */
    public static KafkaClientTransport at(String bootstrapServers) {
        KafkaSettings defaults = KafkaSettings.DEFAULTS;
        return new KafkaClientTransport(
                with(bootstrapServers, defaults.requests(), defaults.answers(), defaults.properties()), false);
    }

    /** The same with another topic of requests. */
    public KafkaClientTransport requests(String topic) {
        return new KafkaClientTransport(
                with(
                        settings.bootstrapServers(),
                        reading(topic, settings.requests().group()),
                        settings.answers(),
                        settings.properties()),
                ownAnswers);
    }

    /**
     * The same with another topic of answers, which each request then names: nodes must allow it in {@code
     * kafka.answers.reply-to}, unless it is their own. One of a team's own spares its clients from reading everybody's answers.
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

    /** The same with these properties of the Kafka clients, such as {@code security.protocol}. */
    public KafkaClientTransport properties(Map<String, String> properties) {
        return new KafkaClientTransport(
                with(settings.bootstrapServers(), settings.requests(), settings.answers(), properties), ownAnswers);
    }

    private static RequestTopicSettings reading(String topic, String group) {
        // An answer that is dropped because of its size is lost.
        return new RequestTopicSettings(
                List.of(topic),
                group,
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
        KafkaSettings rest = KafkaSettings.DEFAULTS;
        return new KafkaSettings(
                bootstrapServers,
                requests,
                answers,
                rest.deadLetters(),
                rest.delayed(),
                rest.createTopics(),
                properties,
                rest.commitInterval(),
                rest.commitBatchSize(),
                rest.maxUncommittedOffsets(),
                rest.bufferRecords(),
                rest.bufferBytes(),
                rest.revokeTimeout(),
                rest.lagInterval(),
                rest.confirmTimeout());
    }

    @Override
    public String name() {
        return "kafka";
    }

    @Override
    public String defaultReplyTo() {
        return ownAnswers ? settings.answers().topic() : null;
    }

    @Override
    public ClientConnection connect(String clientName) throws IOException {
        KafkaAnswerConsumer answers;
        try {
            answers = new KafkaAnswerConsumer(settings, clientName, true);
        } catch (KafkaException failed) {
            throw new IOException("kafka: " + failed.getMessage(), failed);
        }
        return new ClientConnection(new KafkaRequestPublisher(settings, clientName), answers, defaultReplyTo());
    }

    /** What requests are to a node, answers are to a listener. */
    @Override
    public RequestSource newAnswerSource(String clientName, String group) {
        KafkaSettings listening = with(
                settings.bootstrapServers(),
                reading(settings.answers().topic(), group),
                new AnswerTopicSettings(settings.requests().topics().get(0), List.of()),
                settings.properties());
        return new KafkaTransport(listening, clientName).source();
    }

    /** Without the properties, which may hold secrets. */
    @Override
    public String toString() {
        return "KafkaClientTransport[" + settings.bootstrapServers() + ", "
                + settings.requests().topics().get(0) + ", "
                + settings.answers().topic() + "]";
    }
}
