package io.iocluster.kafka;

import io.iocluster.kafka.config.KafkaSettings;
import io.iocluster.kafka.config.KafkaSettings.AnswerTopicSettings;
import io.iocluster.kafka.config.KafkaSettings.AutoOffsetReset;
import io.iocluster.kafka.config.KafkaSettings.DeadLetterTopicSettings;
import io.iocluster.kafka.config.KafkaSettings.Ordering;
import io.iocluster.kafka.config.KafkaSettings.RequestMode;
import io.iocluster.kafka.config.KafkaSettings.RequestTopicSettings;
import io.iocluster.kafka.config.KafkaSettings.TopicCreation;
import io.iocluster.settings.DataSize;
import io.iocluster.testkit.record.RecordCopy;
import io.iocluster.transport.DelayedRetrySettings;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Settings for tests: short intervals, topics are created with one partition. */
public final class KafkaTestSettings {

    private static final KafkaSettings BASE = KafkaSettings.DEFAULTS;

    private KafkaTestSettings() {}

    /** Returns defaults with these client properties. */
    public static KafkaSettings with(Map<String, String> properties) {
        return create("127.0.0.1:9092", BASE.requests(), BASE.answers(), BASE.deadLetters(), properties, 262_144);
    }

    /** Returns defaults with these answer topics. */
    public static KafkaSettings withAnswers(AnswerTopicSettings answers) {
        return create("127.0.0.1:9092", BASE.requests(), answers, BASE.deadLetters(), Map.of(), 262_144);
    }

    /** Returns defaults with these request and answer topics. */
    public static KafkaSettings withTopics(RequestTopicSettings requests, AnswerTopicSettings answers) {
        return create("127.0.0.1:9092", requests, answers, BASE.deadLetters(), Map.of(), 262_144);
    }

    /** Returns settings with the topics {@code name.requests}, {@code name.answers} and {@code name.dead}. */
    public static KafkaSettings of(String bootstrap, String name, Ordering ordering, Map<String, String> properties) {
        return of(bootstrap, name, AutoOffsetReset.EARLIEST, ordering, properties);
    }

    public static KafkaSettings of(
            String bootstrap, String name, AutoOffsetReset start, Ordering ordering, Map<String, String> properties) {
        return create(
                bootstrap,
                new RequestTopicSettings(
                        List.of(name + ".requests"),
                        name,
                        RequestMode.CONSUMER,
                        2,
                        start,
                        ordering,
                        DataSize.ofMebibytes(16),
                        Map.of()),
                new AnswerTopicSettings(name + ".answers", List.of(name + ".reply-*")),
                new DeadLetterTopicSettings(name + ".dead"),
                properties,
                4_096);
    }

    /** Returns a copy with a share group in which each node has this many consumers. */
    public static KafkaSettings withShareGroup(KafkaSettings settings, int consumers) {
        return RecordCopy.with(
                settings,
                "requests",
                RecordCopy.with(settings.requests(), "mode", RequestMode.SHARE, "shareConsumers", consumers));
    }

    /** Returns a copy with delayed retries of one delay. */
    public static KafkaSettings withDelayedRetries(KafkaSettings settings, Duration delay) {
        return withDelayedRetries(settings, new DelayedRetrySettings(true, "", List.of(delay)));
    }

    /** Returns a copy with these delayed retries. */
    public static KafkaSettings withDelayedRetries(KafkaSettings settings, DelayedRetrySettings delayed) {
        return RecordCopy.with(settings, "delayed", delayed);
    }

    /** Returns a copy with this lag interval. */
    public static KafkaSettings withLagInterval(Duration lagInterval, KafkaSettings settings) {
        return RecordCopy.with(settings, "lagInterval", lagInterval);
    }

    /** Returns a copy with these byte limits. */
    public static KafkaSettings withLimits(KafkaSettings settings, DataSize bufferBytes, DataSize maxMessageSize) {
        return RecordCopy.with(
                settings,
                "requests",
                RecordCopy.with(settings.requests(), "maxMessageSize", maxMessageSize),
                "bufferBytes",
                bufferBytes);
    }

    private static KafkaSettings create(
            String bootstrap,
            RequestTopicSettings requests,
            AnswerTopicSettings answers,
            DeadLetterTopicSettings deadLetters,
            Map<String, String> properties,
            int span) {
        return new KafkaSettings(
                bootstrap,
                requests,
                answers,
                deadLetters,
                DelayedRetrySettings.DEFAULTS,
                KafkaSettings.ClusterTopicSettings.DEFAULTS,
                new TopicCreation(true, 1, 1),
                properties,
                Duration.ofMillis(200),
                BASE.commitBatchSize(),
                span,
                BASE.bufferRecords(),
                BASE.bufferBytes(),
                Duration.ofSeconds(2),
                Duration.ofMillis(300),
                // Longer than an outage in a test on a busy machine.
                Duration.ofMinutes(10));
    }
}
