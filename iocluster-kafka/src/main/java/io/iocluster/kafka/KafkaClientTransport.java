package io.iocluster.kafka;

import io.iocluster.client.ClientTransport;
import io.iocluster.kafka.KafkaSettings.Answers;
import io.iocluster.kafka.KafkaSettings.Requests;
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
                        new Answers(topic, List.of()),
                        settings.properties()),
                true);
    }

    /** The same with these properties of the Kafka clients, such as {@code security.protocol}. */
    public KafkaClientTransport properties(Map<String, String> properties) {
        return new KafkaClientTransport(
                with(settings.bootstrapServers(), settings.requests(), settings.answers(), properties), ownAnswers);
    }

    private static Requests reading(String topic, String group) {
        // An answer that is dropped because of its size is lost.
        return new Requests(
                List.of(topic),
                group,
                KafkaSettings.Start.EARLIEST,
                KafkaSettings.Ordering.NONE,
                DataSize.ofMebibytes(KafkaSettings.MOST_MESSAGE_MEBIBYTES),
                Map.of());
    }

    private static KafkaSettings with(
            String bootstrapServers, Requests requests, Answers answers, Map<String, String> properties) {
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
                rest.commitEvery(),
                rest.ledgerSpan(),
                rest.bufferRecords(),
                rest.bufferBytes(),
                rest.revokeDrain(),
                rest.lagInterval(),
                rest.confirmTimeout());
    }

    @Override
    public String name() {
        return "kafka";
    }

    @Override
    public String answersPlace() {
        return ownAnswers ? settings.answers().topic() : null;
    }

    @Override
    public Connection connect(String clientName) throws IOException {
        KafkaAnswers answers;
        try {
            answers = new KafkaAnswers(settings, clientName, true);
        } catch (KafkaException failed) {
            throw new IOException("kafka: " + failed.getMessage(), failed);
        }
        return new Connection(new KafkaRequests(settings, clientName), answers, answersPlace());
    }

    /** What requests are to a node, answers are to a listener. */
    @Override
    public RequestSource answers(String clientName, String group) {
        KafkaSettings listening = with(
                settings.bootstrapServers(),
                reading(settings.answers().topic(), group),
                new Answers(settings.requests().topics().get(0), List.of()),
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
