package io.iocluster.kafka;

import io.iocluster.kafka.KafkaSettings.Answers;
import io.iocluster.kafka.KafkaSettings.CreateTopics;
import io.iocluster.kafka.KafkaSettings.DeadLetters;
import io.iocluster.kafka.KafkaSettings.Ordering;
import io.iocluster.kafka.KafkaSettings.Requests;
import io.iocluster.kafka.KafkaSettings.Start;
import io.iocluster.settings.DataSize;
import io.iocluster.transport.DelayedSettings;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Settings for tests. */
final class TestSettings {

    private static final KafkaSettings BASE = KafkaSettings.DEFAULTS;

    private TestSettings() {}

    static KafkaSettings with(Map<String, String> properties) {
        return make("127.0.0.1:9092", BASE.requests(), BASE.answers(), BASE.deadLetters(), properties, 262_144);
    }

    static KafkaSettings answering(Answers answers) {
        return make("127.0.0.1:9092", BASE.requests(), answers, BASE.deadLetters(), Map.of(), 262_144);
    }

    /** Reads these topics and allows these replies. */
    static KafkaSettings replying(Requests requests, Answers answers) {
        return make("127.0.0.1:9092", requests, answers, BASE.deadLetters(), Map.of(), 262_144);
    }

    /** Topics of their own: {@code name.requests}, {@code name.answers}, {@code name.dead}. */
    static KafkaSettings of(String bootstrap, String name, Ordering ordering, Map<String, String> properties) {
        return of(bootstrap, name, Start.EARLIEST, ordering, properties);
    }

    static KafkaSettings of(
            String bootstrap, String name, Start start, Ordering ordering, Map<String, String> properties) {
        return make(
                bootstrap,
                new Requests(List.of(name + ".requests"), name, start, ordering, DataSize.ofMebibytes(16), Map.of()),
                new Answers(name + ".answers", List.of(name + ".reply-*")),
                new DeadLetters(name + ".dead"),
                properties,
                4_096);
    }

    /** The same, with topics for what is put off for so long. */
    static KafkaSettings delaying(KafkaSettings settings, Duration delay) {
        return delaying(settings, new DelayedSettings(true, "", List.of(delay)));
    }

    static KafkaSettings delaying(KafkaSettings settings, DelayedSettings delayed) {
        return make(
                settings.bootstrapServers(),
                settings.requests(),
                settings.answers(),
                settings.deadLetters(),
                delayed,
                settings.properties(),
                settings.ledgerSpan());
    }

    /** The same, which asks for the lag so seldom. */
    static KafkaSettings askingEvery(Duration lagInterval, KafkaSettings settings) {
        return new KafkaSettings(
                settings.bootstrapServers(),
                settings.requests(),
                settings.answers(),
                settings.deadLetters(),
                settings.delayed(),
                settings.createTopics(),
                settings.properties(),
                settings.commitInterval(),
                settings.commitEvery(),
                settings.ledgerSpan(),
                settings.bufferRecords(),
                settings.bufferBytes(),
                settings.revokeDrain(),
                lagInterval,
                settings.confirmTimeout());
    }

    /** The same with these limits of bytes. */
    static KafkaSettings bounded(KafkaSettings settings, DataSize bufferBytes, DataSize maxMessageSize) {
        return new KafkaSettings(
                settings.bootstrapServers(),
                new Requests(
                        settings.requests().topics(),
                        settings.requests().group(),
                        settings.requests().start(),
                        settings.requests().ordering(),
                        maxMessageSize,
                        settings.requests().replyTo()),
                settings.answers(),
                settings.deadLetters(),
                settings.delayed(),
                settings.createTopics(),
                settings.properties(),
                settings.commitInterval(),
                settings.commitEvery(),
                settings.ledgerSpan(),
                settings.bufferRecords(),
                bufferBytes,
                settings.revokeDrain(),
                settings.lagInterval(),
                settings.confirmTimeout());
    }

    private static KafkaSettings make(
            String bootstrap,
            Requests requests,
            Answers answers,
            DeadLetters deadLetters,
            Map<String, String> properties,
            int span) {
        return make(bootstrap, requests, answers, deadLetters, DelayedSettings.DEFAULTS, properties, span);
    }

    private static KafkaSettings make(
            String bootstrap,
            Requests requests,
            Answers answers,
            DeadLetters deadLetters,
            DelayedSettings delayed,
            Map<String, String> properties,
            int span) {
        return new KafkaSettings(
                bootstrap,
                requests,
                answers,
                deadLetters,
                delayed,
                new CreateTopics(true, 1, 1),
                properties,
                Duration.ofMillis(200),
                BASE.commitEvery(),
                span,
                BASE.bufferRecords(),
                BASE.bufferBytes(),
                Duration.ofSeconds(2),
                Duration.ofMillis(300),
                // Longer than an outage takes on a busy machine.
                Duration.ofMinutes(10));
    }
}
