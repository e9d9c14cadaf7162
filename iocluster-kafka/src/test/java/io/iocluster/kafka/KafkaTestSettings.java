package io.iocluster.kafka;

import io.iocluster.kafka.config.KafkaSettings;
import io.iocluster.kafka.config.KafkaSettings.AnswerTopicSettings;
import io.iocluster.kafka.config.KafkaSettings.AutoOffsetReset;
import io.iocluster.kafka.config.KafkaSettings.DeadLetterTopicSettings;
import io.iocluster.kafka.config.KafkaSettings.Ordering;
import io.iocluster.kafka.config.KafkaSettings.RequestTopicSettings;
import io.iocluster.kafka.config.KafkaSettings.TopicCreation;
import io.iocluster.settings.DataSize;
import io.iocluster.transport.DelayedRetrySettings;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Settings for tests. */
public final class KafkaTestSettings {

    private static final KafkaSettings BASE = KafkaSettings.DEFAULTS;

    private KafkaTestSettings() {}

    public static KafkaSettings with(Map<String, String> properties) {
        return make("127.0.0.1:9092", BASE.requests(), BASE.answers(), BASE.deadLetters(), properties, 262_144);
    }

    public static KafkaSettings answering(AnswerTopicSettings answers) {
        return make("127.0.0.1:9092", BASE.requests(), answers, BASE.deadLetters(), Map.of(), 262_144);
    }

    /** Reads these topics and allows these replies. */
    public static KafkaSettings replying(RequestTopicSettings requests, AnswerTopicSettings answers) {
        return make("127.0.0.1:9092", requests, answers, BASE.deadLetters(), Map.of(), 262_144);
    }

    /** Topics of their own: {@code name.requests}, {@code name.answers}, {@code name.dead}. */
    public static KafkaSettings of(String bootstrap, String name, Ordering ordering, Map<String, String> properties) {
        return of(bootstrap, name, AutoOffsetReset.EARLIEST, ordering, properties);
    }

    public static KafkaSettings of(
            String bootstrap, String name, AutoOffsetReset start, Ordering ordering, Map<String, String> properties) {
        return make(
                bootstrap,
                new RequestTopicSettings(
                        List.of(name + ".requests"), name, start, ordering, DataSize.ofMebibytes(16), Map.of()),
                new AnswerTopicSettings(name + ".answers", List.of(name + ".reply-*")),
                new DeadLetterTopicSettings(name + ".dead"),
                properties,
                4_096);
    }

    /** The same, with topics for what is put off for so long. */
    public static KafkaSettings delaying(KafkaSettings settings, Duration delay) {
        return delaying(settings, new DelayedRetrySettings(true, "", List.of(delay)));
    }

    public static KafkaSettings delaying(KafkaSettings settings, DelayedRetrySettings delayed) {
        return make(
                settings.bootstrapServers(),
                settings.requests(),
                settings.answers(),
                settings.deadLetters(),
                delayed,
                settings.properties(),
                settings.maxUncommittedOffsets());
    }

    /** The same, which asks for the lag so seldom. */
    public static KafkaSettings askingEvery(Duration lagInterval, KafkaSettings settings) {
        return new KafkaSettings(
                settings.bootstrapServers(),
                settings.requests(),
                settings.answers(),
                settings.deadLetters(),
                settings.delayed(),
                settings.createTopics(),
                settings.properties(),
                settings.commitInterval(),
                settings.commitBatchSize(),
                settings.maxUncommittedOffsets(),
                settings.bufferRecords(),
                settings.bufferBytes(),
                settings.revokeTimeout(),
                lagInterval,
                settings.confirmTimeout());
    }

    /** The same with these limits of bytes. */
    public static KafkaSettings bounded(KafkaSettings settings, DataSize bufferBytes, DataSize maxMessageSize) {
        return new KafkaSettings(
                settings.bootstrapServers(),
                new RequestTopicSettings(
                        settings.requests().topics(),
                        settings.requests().group(),
                        settings.requests().autoOffsetReset(),
                        settings.requests().ordering(),
                        maxMessageSize,
                        settings.requests().replyTo()),
                settings.answers(),
                settings.deadLetters(),
                settings.delayed(),
                settings.createTopics(),
                settings.properties(),
                settings.commitInterval(),
                settings.commitBatchSize(),
                settings.maxUncommittedOffsets(),
                settings.bufferRecords(),
                bufferBytes,
                settings.revokeTimeout(),
                settings.lagInterval(),
                settings.confirmTimeout());
    }

    private static KafkaSettings make(
            String bootstrap,
            RequestTopicSettings requests,
            AnswerTopicSettings answers,
            DeadLetterTopicSettings deadLetters,
            Map<String, String> properties,
            int span) {
        return make(bootstrap, requests, answers, deadLetters, DelayedRetrySettings.DEFAULTS, properties, span);
    }

    private static KafkaSettings make(
            String bootstrap,
            RequestTopicSettings requests,
            AnswerTopicSettings answers,
            DeadLetterTopicSettings deadLetters,
            DelayedRetrySettings delayed,
            Map<String, String> properties,
            int span) {
        return new KafkaSettings(
                bootstrap,
                requests,
                answers,
                deadLetters,
                delayed,
                new TopicCreation(true, 1, 1),
                properties,
                Duration.ofMillis(200),
                BASE.commitBatchSize(),
                span,
                BASE.bufferRecords(),
                BASE.bufferBytes(),
                Duration.ofSeconds(2),
                Duration.ofMillis(300),
                // Longer than an outage takes on a busy machine.
                Duration.ofMinutes(10));
    }
}
