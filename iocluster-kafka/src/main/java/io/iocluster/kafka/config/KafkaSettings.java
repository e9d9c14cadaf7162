package io.iocluster.kafka.config;

import io.iocluster.kafka.requirement.ClientRequirements;
import io.iocluster.settings.DataSize;
import io.iocluster.settings.DurationText;
import io.iocluster.settings.InvalidSettingsException;
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

/** Settings of the Kafka transport, under {@code kafka} in the configuration. Immutable. */
public record KafkaSettings(
        @Setting(value = "127.0.0.1:9092", doc = "Brokers: `host:port`, separated by commas.")
        String bootstrapServers,

        @Setting(doc = "Topics that requests are read from.")
        RequestTopicSettings requests,

        @Setting(doc = "Topics that answers are published to.")
        AnswerTopicSettings answers,

        @Setting(doc = "Topic for messages that cannot be answered.")
        DeadLetterTopicSettings deadLetters,

        @Setting(doc = "Topics of delayed retries.") DelayedRetrySettings delayed,

        @Setting(doc = "Topic on which the nodes announce themselves: see `cluster`.")
        ClusterTopicSettings cluster,

        @Setting(doc = "How the node creates missing topics.")
        TopicCreation createTopics,

        @Setting(
                value = "{}",
                doc = "Properties of the Kafka clients or their plugins, such as `security.protocol`. Misspelled ones"
                        + " and those that the guarantees depend on are refused. Passwords, keys and"
                        + " `sasl.jaas.config` are never shown.")
        Map<String, String> properties,

        @Setting(value = "1s", doc = "How often offsets are committed. A crash redelivers messages settled since then.")
        Duration commitInterval,

        @Setting(value = "5000", doc = "Settled messages after which offsets are committed earlier.")
        int commitBatchSize,

        @Setting(
                value = "262144",
                doc = "How many offsets a partition may be read ahead of its oldest unsettled message; rounded up to"
                        + " a power of two. Each takes two bits of memory.")
        int maxUncommittedOffsets,

        @Setting(value = "500", doc = "Messages of one partition in the buffer, at which the partition is paused.")
        int bufferRecords,

        @Setting(value = "64MiB", doc = "Bytes of messages in the buffer, at which all partitions are paused.")
        DataSize bufferBytes,

        @Setting(
                value = "5s",
                doc = "How long a node waits for calls in flight when a partition is revoked. Messages of longer"
                        + " calls are redelivered.")
        Duration revokeTimeout,

        @Setting(value = "2s", doc = "How often the node asks for the end offsets, to compute the lag.")
        Duration lagInterval,

        @Setting(
                value = "60s",
                doc = "How long the broker may take to confirm an answer. After that, the answer is published again.")
        Duration confirmTimeout) {

    /**
     * Upper bound of {@code max-message-size}. A compile-time constant, because a nested record that uses it may be
     * initialized before this class.
     */
    public static final int MAX_MESSAGE_MEBIBYTES = 512;

    /** The defaults. */
    public static final KafkaSettings DEFAULTS = new KafkaSettings(
            "127.0.0.1:9092",
            RequestTopicSettings.DEFAULTS,
            AnswerTopicSettings.DEFAULTS,
            DeadLetterTopicSettings.DEFAULTS,
            DelayedRetrySettings.DEFAULTS,
            ClusterTopicSettings.DEFAULTS,
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
        String invalid = ClientPropertyCheck.invalidAddress(bootstrapServers);
        SettingsValidator validator = new SettingsValidator()
                .check(invalid == null, "bootstrap-servers", "must be host:port, separated by commas: " + invalid)
                .checkPositive("commit-interval", commitInterval)
                .checkRange("commit-batch-size", commitBatchSize, 1, 1_000_000)
                .checkRange("max-uncommitted-offsets", maxUncommittedOffsets, 4_096, 1 << 24)
                .checkRange("buffer-records", bufferRecords, 1, 100_000)
                .checkRange("buffer-bytes", bufferBytes, DataSize.ofMebibytes(1), new DataSize(1L << 40))
                .checkNotNegative("revoke-timeout", revokeTimeout)
                .check(
                        revokeTimeout.compareTo(Duration.ofMinutes(2)) <= 0,
                        "revoke-timeout",
                        "must be at most 2m, because the whole group waits: " + DurationText.format(revokeTimeout))
                .checkPositive("lag-interval", lagInterval)
                .check(
                        confirmTimeout.toMillis() >= 1_000 && confirmTimeout.toMillis() <= 3_600_000,
                        "confirm-timeout",
                        "must be from 1s to 1h: " + DurationText.format(confirmTimeout))
                .check(
                        !requests.topics().contains(answers.topic()),
                        "answers.topic",
                        "must not be one of kafka.requests.topics: " + answers.topic())
                .check(
                        !requests.topics().contains(deadLetters.topic()),
                        "dead-letters.topic",
                        "must not be one of kafka.requests.topics: " + deadLetters.topic());
        if (delayed.enabled()) {
            List<String> topics = new DelayedTopics(requests.group(), delayed).all();
            topics.forEach(topic -> TopicNames.check(validator, "delayed.prefix", topic));
            validator
                    .check(
                            requests.ordering() == Ordering.NONE,
                            "delayed.enabled",
                            "cannot be true with requests.ordering key, because a delayed call would be overtaken")
                    .check(
                            !topics.contains(answers.topic())
                                    && !topics.contains(deadLetters.topic())
                                    && Collections.disjoint(topics, requests.topics()),
                            "delayed.prefix",
                            "results in the name of a topic that is used for something else: " + delayed.prefix());
        }
        String clusterTopic = clusterTopic(requests, cluster);
        validator.check(
                !requests.topics().contains(clusterTopic)
                        && !clusterTopic.equals(answers.topic())
                        && !clusterTopic.equals(deadLetters.topic())
                        && !new DelayedTopics(requests.group(), delayed).all().contains(clusterTopic),
                "cluster.topic",
                "must not be a topic that is used for something else: " + clusterTopic);
        for (Map.Entry<String, String> property : new TreeMap<>(properties).entrySet()) {
            String reserved = ClientProperties.reasonReserved(property.getKey(), requests.mode());
            validator.check(reserved == null, "properties." + property.getKey(), "cannot be set: " + reserved);
            String problem = ClientPropertyCheck.problem(property.getKey(), property.getValue());
            validator.check(reserved != null || problem == null, "properties." + property.getKey(), problem);
        }
        validator.throwIfInvalid();
    }

    /**
     * Verifies that the Kafka clients can be created with these properties: that the classes that they need can be
     * loaded, and that files and login are usable. Reads files, and connects to nothing.
     *
     * @throws InvalidSettingsException if not; lists each property and what to do
     */
    public void requireUsableClients() {
        SettingsValidator validator = new SettingsValidator();
        ClientRequirements.unmet(properties)
                .forEach((property, problem) -> validator.check(false, "properties." + property, problem));
        validator.throwIfInvalid();
    }

    /** Returns the topics of delayed retries. */
    public DelayedTopics delayedTopics() {
        return new DelayedTopics(requests.group(), delayed);
    }

    /** Returns the topic on which the nodes announce themselves. */
    public String clusterTopic() {
        return clusterTopic(requests, cluster);
    }

    private static String clusterTopic(RequestTopicSettings requests, ClusterTopicSettings cluster) {
        return cluster.topic().isEmpty() ? TopicNames.derived(requests.group(), ".nodes") : cluster.topic();
    }

    /** Returns the topics that the node consumes: the request topics and the topic of due retries. */
    public List<String> consumedTopics() {
        List<String> topics = new ArrayList<>(requests.topics());
        if (delayed.enabled()) {
            topics.add(delayedTopics().dueTopic());
        }
        return topics;
    }

    /** Returns the properties with secrets replaced by {@code ***}. */
    public Map<String, String> redactedProperties() {
        Map<String, String> shown = new TreeMap<>(properties);
        shown.replaceAll((key, value) -> SecretNames.isSecret(key) ? "***" : value);
        return shown;
    }

    @Override
    public String toString() {
        return "KafkaSettings[bootstrapServers=" + bootstrapServers + ", requests=" + requests + ", answers=" + answers
                + ", deadLetters=" + deadLetters + ", delayed=" + delayed + ", cluster=" + cluster + ", createTopics="
                + createTopics
                + ", properties="
                + redactedProperties() + ", commitInterval=" + DurationText.format(commitInterval)
                + ", commitBatchSize="
                + commitBatchSize + ", maxUncommittedOffsets=" + maxUncommittedOffsets + ", bufferRecords="
                + bufferRecords
                + ", bufferBytes="
                + bufferBytes + ", revokeTimeout=" + DurationText.format(revokeTimeout) + ", lagInterval="
                + DurationText.format(lagInterval) + ", confirmTimeout=" + DurationText.format(confirmTimeout) + "]";
    }

    /** Where a group without committed offsets starts. */
    public enum AutoOffsetReset {
        EARLIEST,
        LATEST
    }

    /** Which requests of a topic are called in order. */
    public enum Ordering {
        /** No requests. */
        NONE,
        /** Requests with the same key: each starts when the one before it is settled. */
        KEY
    }

    /** What kind of group the nodes form. */
    public enum RequestMode {
        /** A consumer group: each partition belongs to one node. */
        CONSUMER,
        /** A share group: several nodes read the same partition. */
        SHARE
    }

    /** Topics that requests are read from, and the group. */
    public record RequestTopicSettings(
            @Setting(value = "[iocluster.requests]", doc = "Topics with requests.")
            List<String> topics,

            @Setting(value = "iocluster", doc = "The consumer group or share group that the nodes form.")
            String group,

            @Setting(
                    value = "consumer",
                    doc = "`consumer`: a consumer group, in which each partition belongs to one node. `share`: a"
                            + " share group, in which several nodes read a partition. It needs brokers of version 4.2"
                            + " or newer.")
            RequestMode mode,

            @Setting(
                    value = "4",
                    doc = "Consumers of a node with mode `share`. Each one reads its next messages when all of its"
                            + " previous ones are settled.")
            int shareConsumers,

            @Setting(value = "earliest", doc = "Where a group without committed offsets starts.")
            AutoOffsetReset autoOffsetReset,

            @Setting(
                    value = "none",
                    doc = "`key`: requests with the same record key are called one after the other. `none`:"
                            + " concurrently.")
            Ordering ordering,

            @Setting(
                    value = "16MiB",
                    doc = "Maximum size of the value and of the key of a request, after decompression. A larger"
                            + " record becomes a dead letter without payload that names its offset.")
            DataSize maxMessageSize,

            @Setting(
                    value = "{}",
                    doc = "The topics that envelopes of a request topic may name in `replyTo`: `{team-a.requests:"
                            + " [\"team-a.*\"]}`. An entry replaces `kafka.answers.reply-to` for its topic and has"
                            + " the same syntax.")
            Map<String, List<String>> replyTo) {

        public static final RequestTopicSettings DEFAULTS = new RequestTopicSettings(
                List.of("iocluster.requests"),
                "iocluster",
                RequestMode.CONSUMER,
                4,
                AutoOffsetReset.EARLIEST,
                Ordering.NONE,
                DataSize.ofMebibytes(16),
                Map.of());

        public RequestTopicSettings {
            topics = List.copyOf(topics);
            replyTo = Map.copyOf(replyTo);
            SettingsValidator validator = new SettingsValidator()
                    .check(!topics.isEmpty(), "topics", "must name at least one topic")
                    .checkNotBlank("group", group)
                    .checkRange("share-consumers", shareConsumers, 1, 64)
                    .check(
                            mode == RequestMode.CONSUMER || ordering == Ordering.NONE,
                            "mode",
                            "cannot be share with ordering key, because a share group has no order")
                    .checkRange(
                            "max-message-size",
                            maxMessageSize,
                            new DataSize(1_024),
                            DataSize.ofMebibytes(MAX_MESSAGE_MEBIBYTES));
            validator.checkEach("topics", topics, (key, topic) -> TopicNames.check(validator, key, topic));
            for (Map.Entry<String, List<String>> entry : new TreeMap<>(replyTo).entrySet()) {
                String path = "reply-to." + entry.getKey();
                validator.check(topics.contains(entry.getKey()), path, "is not one of kafka.requests.topics");
                validator.checkEach(
                        path, entry.getValue(), (key, pattern) -> TopicNames.checkPattern(validator, key, pattern));
            }
            validator.throwIfInvalid();
        }
    }

    /** Topics that answers are published to. */
    public record AnswerTopicSettings(
            @Setting(value = "iocluster.answers", doc = "Topic of the answers.")
            String topic,

            @Setting(
                    value = "[]",
                    doc = "More topics that an envelope's `replyTo` may name. `*` stands for any characters:"
                            + " `team-a.*`, `{key}` for the record's key and `{header:NAME}` for a header:"
                            + " `{header:tenant}.answers`. Request topics and Kafka's internal topics are never"
                            + " allowed.")
            List<String> replyTo) {

        public static final AnswerTopicSettings DEFAULTS = new AnswerTopicSettings("iocluster.answers", List.of());

        public AnswerTopicSettings {
            replyTo = List.copyOf(replyTo);
            SettingsValidator validator = new SettingsValidator();
            TopicNames.check(validator, "topic", topic);
            validator
                    .checkEach("reply-to", replyTo, (key, pattern) -> TopicNames.checkPattern(validator, key, pattern))
                    .throwIfInvalid();
        }
    }

    /** Topic for messages that cannot be answered. */
    public record DeadLetterTopicSettings(
            @Setting(value = "iocluster.dead-letters", doc = "Topic of the dead letters.")
            String topic) {

        public static final DeadLetterTopicSettings DEFAULTS = new DeadLetterTopicSettings("iocluster.dead-letters");

        public DeadLetterTopicSettings {
            SettingsValidator validator = new SettingsValidator();
            TopicNames.check(validator, "topic", topic);
            validator.throwIfInvalid();
        }
    }

    /** Topic on which the nodes announce themselves. */
    public record ClusterTopicSettings(
            @Setting(
                    value = "\"\"",
                    doc = "Topic with one partition for the [announcements](operations/cluster.md#how-it-works), the"
                            + " same on all nodes that share requests, and on no others. Empty: the consumer group,"
                            + " and `.nodes`.")
            String topic) {

        public static final ClusterTopicSettings DEFAULTS = new ClusterTopicSettings("");

        public ClusterTopicSettings {
            SettingsValidator validator = new SettingsValidator();
            if (!topic.isEmpty()) {
                TopicNames.check(validator, "topic", topic);
            }
            validator.throwIfInvalid();
        }
    }

    /** How the node creates missing topics. */
    public record TopicCreation(
            @Setting(value = "false", doc = "Whether the node creates missing topics when it starts.")
            boolean enabled,

            @Setting(value = "12", doc = "Partitions of a created topic.")
            int partitions,

            @Setting(value = "1", doc = "Replication factor of a created topic. Use 3 in production.")
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
