package io.iocluster.kafka.config;

import io.iocluster.settings.DataSize;
import io.iocluster.settings.DurationText;
import io.iocluster.settings.SecretNames;
import io.iocluster.settings.Setting;
import io.iocluster.settings.SettingsValidator;
import io.iocluster.transport.DelayedRetrySettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** How the node meets Kafka. */
public record KafkaSettings(
        @Setting(value = "127.0.0.1:9092", doc = "Where the cluster is found: `host:port`, several with commas.")
        String bootstrapServers,

        @Setting(doc = "What is read.") RequestTopicSettings requests,

        @Setting(doc = "Where answers go.") AnswerTopicSettings answers,

        @Setting(doc = "Where messages go that cannot be answered.")
        DeadLetterTopicSettings deadLetters,

        @Setting(doc = "Topics of calls that wait for long.")
        DelayedRetrySettings delayed,

        @Setting(doc = "Topics that the node makes when they are missing.")
        TopicCreation createTopics,

        @Setting(
                value = "{}",
                doc = "Any property of the Kafka clients or of their plugins, such as `security.protocol`; one that the"
                        + " node's promises rest on is refused, and a misspelt one. Passwords, keys and"
                        + " `sasl.jaas.config` are never shown.")
        Map<String, String> properties,

        @Setting(value = "1s", doc = "How often the positions are committed; what a crash repeats is bounded by it.")
        Duration commitInterval,

        @Setting(value = "5000", doc = "So many settled messages are committed before the interval is over.")
        int commitBatchSize,

        @Setting(
                value = "262144",
                doc = "How far reading may run ahead of the oldest unsettled message of a partition, in offsets;"
                        + " rounded up to a power of two. Two bits of memory each.")
        int maxUncommittedOffsets,

        @Setting(value = "500", doc = "How many messages of one partition may wait for a place before it is paused.")
        int bufferRecords,

        @Setting(value = "64MiB", doc = "How many bytes of messages may wait for a place before reading pauses.")
        DataSize bufferBytes,

        @Setting(
                value = "5s",
                doc = "How long a partition that is taken away waits for its calls in flight; later ones are repeated.")
        Duration revokeTimeout,

        @Setting(value = "2s", doc = "How often the broker is asked for the ends of the partitions, for the lag.")
        Duration lagInterval,

        @Setting(
                value = "60s",
                doc = "How long the broker may take to confirm an answer; the answer is then published again.")
        Duration confirmTimeout) {

    /** A compile-time constant, because a nested record that uses it may be initialized before this class. */
    public static final int MAX_MESSAGE_MEBIBYTES = 512;

    /** What holds where the configuration says nothing. */
    public static final KafkaSettings DEFAULTS = new KafkaSettings(
            "127.0.0.1:9092",
            RequestTopicSettings.DEFAULTS,
            AnswerTopicSettings.DEFAULTS,
            DeadLetterTopicSettings.DEFAULTS,
            DelayedRetrySettings.DEFAULTS,
            TopicCreation.DEFAULTS,
            Map.of(),
            Duration.ofSeconds(1),
            5_000,
            262_144,
            500,
            DataSize.ofMebibytes(64),
            Duration.ofSeconds(5),
            Duration.ofSeconds(2),
            Duration.ofSeconds(60));

    public KafkaSettings {
        properties = Map.copyOf(properties);
        String broken = ClientPropertyCheck.invalidAddress(bootstrapServers);
        SettingsValidator mistakes = new SettingsValidator()
                .check(broken == null, "bootstrap-servers", "must be host:port, several with commas: " + broken)
                .checkPositive("commit-interval", commitInterval)
                .checkRange("commit-batch-size", commitBatchSize, 1, 1_000_000)
                .checkRange("max-uncommitted-offsets", maxUncommittedOffsets, 4_096, 1 << 24)
                .checkRange("buffer-records", bufferRecords, 1, 100_000)
                .checkRange("buffer-bytes", bufferBytes, DataSize.ofMebibytes(1), new DataSize(1L << 40))
                .checkNotNegative("revoke-timeout", revokeTimeout)
                .check(
                        revokeTimeout.compareTo(Duration.ofMinutes(2)) <= 0,
                        "revoke-timeout",
                        "must be at most 2m, the group waits that long: " + DurationText.format(revokeTimeout))
                .checkPositive("lag-interval", lagInterval)
                .check(
                        confirmTimeout.toMillis() >= 1_000 && confirmTimeout.toMillis() <= 3_600_000,
                        "confirm-timeout",
                        "must be from 1s to 1h: " + DurationText.format(confirmTimeout))
                .check(
                        !requests.topics().contains(answers.topic()),
                        "answers.topic",
                        "must not be one that requests are read from: " + answers.topic())
                .check(
                        !requests.topics().contains(deadLetters.topic()),
                        "dead-letters.topic",
                        "must not be one that requests are read from: " + deadLetters.topic());
        if (delayed.enabled()) {
            List<String> topics = new DelayedTopics(requests.group(), delayed).all();
            topics.forEach(topic -> TopicNames.check(mistakes, "delayed.prefix", topic));
            mistakes.check(
                            requests.ordering() == Ordering.NONE,
                            "delayed.enabled",
                            "cannot be with requests.ordering key: a call that is put off would lose its turn")
                    .check(
                            !topics.contains(answers.topic())
                                    && !topics.contains(deadLetters.topic())
                                    && Collections.disjoint(topics, requests.topics()),
                            "delayed.prefix",
                            "makes the name of a topic that is used otherwise: " + delayed.prefix());
        }
        for (Map.Entry<String, String> property : new TreeMap<>(properties).entrySet()) {
            String owner = ClientProperties.reasonReserved(property.getKey());
            mistakes.check(
                    owner == null, "properties." + property.getKey(), "cannot be set, the node owns it: " + owner);
            String problem = ClientPropertyCheck.problem(property.getKey(), property.getValue());
            mistakes.check(owner != null || problem == null, "properties." + property.getKey(), problem);
        }
        mistakes.throwIfInvalid();
    }

    /** The topics of what was put off. */
    public DelayedTopics delayedTopics() {
        return new DelayedTopics(requests.group(), delayed);
    }

    /** The topics that the node takes calls from. */
    public List<String> consumedTopics() {
        List<String> topics = new ArrayList<>(requests.topics());
        if (delayed.enabled()) {
            topics.add(delayedTopics().dueTopic());
        }
        return topics;
    }

    /** The properties as they may be shown. */
    public Map<String, String> redactedProperties() {
        Map<String, String> shown = new TreeMap<>(properties);
        shown.replaceAll((key, value) -> SecretNames.isSecret(key) ? "***" : value);
        return shown;
    }

    @Override
    public String toString() {
        return "KafkaSettings[bootstrapServers=" + bootstrapServers + ", requests=" + requests + ", answers=" + answers
                + ", deadLetters=" + deadLetters + ", delayed=" + delayed + ", createTopics=" + createTopics
                + ", properties="
                + redactedProperties() + ", commitInterval=" + DurationText.format(commitInterval) + ", commitEvery="
                + commitBatchSize + ", ledgerSpan=" + maxUncommittedOffsets + ", bufferRecords=" + bufferRecords
                + ", bufferBytes="
                + bufferBytes + ", revokeDrain=" + DurationText.format(revokeTimeout) + ", lagInterval="
                + DurationText.format(lagInterval) + ", confirmTimeout=" + DurationText.format(confirmTimeout) + "]";
    }

    /** Where a group without a committed position begins. */
    public enum AutoOffsetReset {
        EARLIEST,
        LATEST
    }

    /** Which requests wait for each other. */
    public enum Ordering {
        /** None do. */
        NONE,
        /** Those with the same key: each is handed over when the one before it is settled. */
        KEY
    }

    /** What is read. */
    public record RequestTopicSettings(
            @Setting(value = "[iocluster.requests]", doc = "Topics with requests.")
            List<String> topics,

            @Setting(value = "iocluster", doc = "The consumer group that the nodes share.")
            String group,

            @Setting(
                    value = "earliest",
                    doc = "Where a group that has committed nothing begins: `earliest` or `latest`.")
            AutoOffsetReset autoOffsetReset,

            @Setting(
                    value = "none",
                    doc = "`key`: requests with the same record key are called one after the other; `none`: as fast"
                            + " as places are free.")
            Ordering ordering,

            @Setting(
                    value = "16MiB",
                    doc = "Largest value or key of a record that is read, after decompression. The dead letter of a"
                            + " larger one has no payload and names the record's offset.")
            DataSize maxMessageSize,

            @Setting(
                    value = "{}",
                    doc = "For each topic of `topics`, the topics that its envelopes may name in `replyTo`:"
                            + " `{team-a.requests: [\"team-a.*\"]}`. An entry replaces `kafka.answers.reply-to` for"
                            + " its topic and has the same syntax. Topics without an entry use"
                            + " `kafka.answers.reply-to`.")
            Map<String, List<String>> replyTo) {

        public static final RequestTopicSettings DEFAULTS = new RequestTopicSettings(
                List.of("iocluster.requests"),
                "iocluster",
                AutoOffsetReset.EARLIEST,
                Ordering.NONE,
                DataSize.ofMebibytes(16),
                Map.of());

        public RequestTopicSettings {
            topics = List.copyOf(topics);
            replyTo = Map.copyOf(replyTo);
            SettingsValidator mistakes = new SettingsValidator()
                    .check(!topics.isEmpty(), "topics", "must name at least one topic")
                    .checkNotBlank("group", group)
                    .checkRange(
                            "max-message-size",
                            maxMessageSize,
                            new DataSize(1_024),
                            DataSize.ofMebibytes(MAX_MESSAGE_MEBIBYTES));
            mistakes.checkEach("topics", topics, (key, topic) -> TopicNames.check(mistakes, key, topic));
            for (Map.Entry<String, List<String>> entry : new TreeMap<>(replyTo).entrySet()) {
                String path = "reply-to." + entry.getKey();
                mistakes.check(topics.contains(entry.getKey()), path, "is none of the topics that are read");
                mistakes.checkEach(
                        path, entry.getValue(), (key, pattern) -> TopicNames.checkPattern(mistakes, key, pattern));
            }
            mistakes.throwIfInvalid();
        }
    }

    /** Where answers go. */
    public record AnswerTopicSettings(
            @Setting(value = "iocluster.answers", doc = "Topic of the answers.")
            String topic,

            @Setting(
                    value = "[]",
                    doc = "Further topics that an envelope's `replyTo` may name. `*` stands for any characters:"
                            + " `team-a.*`, `{key}` for the record's key and `{header:NAME}` for that header:"
                            + " `{header:tenant}.answers`. Topics of requests and Kafka's own are never allowed.")
            List<String> replyTo) {

        public static final AnswerTopicSettings DEFAULTS = new AnswerTopicSettings("iocluster.answers", List.of());

        public AnswerTopicSettings {
            replyTo = List.copyOf(replyTo);
            SettingsValidator mistakes = new SettingsValidator();
            TopicNames.check(mistakes, "topic", topic);
            mistakes.checkEach("reply-to", replyTo, (key, pattern) -> TopicNames.checkPattern(mistakes, key, pattern))
                    .throwIfInvalid();
        }
    }

    /** Where messages go that cannot be answered. */
    public record DeadLetterTopicSettings(
            @Setting(value = "iocluster.dead-letters", doc = "Topic of the dead letters.")
            String topic) {

        public static final DeadLetterTopicSettings DEFAULTS = new DeadLetterTopicSettings("iocluster.dead-letters");

        public DeadLetterTopicSettings {
            SettingsValidator mistakes = new SettingsValidator();
            TopicNames.check(mistakes, "topic", topic);
            mistakes.throwIfInvalid();
        }
    }

    /** Topics that the node makes when they are missing. */
    public record TopicCreation(
            @Setting(value = "false", doc = "Whether missing topics are made at the start.")
            boolean enabled,

            @Setting(value = "12", doc = "Partitions of a topic made.")
            int partitions,

            @Setting(value = "1", doc = "Replicas of a topic made; 3 in production.")
            int replicationFactor) {

        public static final TopicCreation DEFAULTS = new TopicCreation(false, 12, 1);

        public TopicCreation {
            new SettingsValidator()
                    .checkRange("partitions", partitions, 1, 10_000)
                    .checkRange("replication-factor", replicationFactor, 1, 100)
                    .throwIfInvalid();
        }
    }
}
