package io.iocluster.kafka.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.iocluster.kafka.KafkaTestSettings;
import io.iocluster.kafka.config.KafkaSettings.AnswerTopicSettings;
import io.iocluster.kafka.config.KafkaSettings.ClusterTopicSettings;
import io.iocluster.kafka.config.KafkaSettings.DeadLetterTopicSettings;
import io.iocluster.kafka.config.KafkaSettings.Ordering;
import io.iocluster.kafka.config.KafkaSettings.RequestMode;
import io.iocluster.kafka.config.KafkaSettings.RequestTopicSettings;
import io.iocluster.kafka.config.KafkaSettings.TopicCreation;
import io.iocluster.kafka.ledger.KafkaDelivery;
import io.iocluster.kafka.ledger.OffsetDelivery;
import io.iocluster.kafka.ledger.TestRecords;
import io.iocluster.message.SentStatus;
import io.iocluster.settings.DataSize;
import io.iocluster.settings.InvalidSettingsException;
import io.iocluster.testkit.record.RecordCopy;
import io.iocluster.thread.Platform;
import io.iocluster.transport.DelayedRetry;
import io.iocluster.transport.DelayedRetrySettings;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KafkaSettingsTest {

    @Test
    void aShareGroupHasNoOrder() {
        assertThatThrownBy(() -> RecordCopy.with(
                        RequestTopicSettings.DEFAULTS,
                        "topics",
                        List.of("in"),
                        "mode",
                        RequestMode.SHARE,
                        "ordering",
                        Ordering.KEY))
                .hasMessageContaining("mode cannot be share with ordering key, because a share group has no order");
    }

    @Test
    void aShareGroupRefusesPropertiesOfConsumerGroups() {
        Map<String, String> properties = Map.of("session.timeout.ms", "6000", "group.instance.id", "a");

        assertThatThrownBy(() -> KafkaTestSettings.withShareGroup(KafkaTestSettings.with(properties), 2))
                .hasMessageContaining("properties.session.timeout.ms cannot be set: a share group does not have it")
                .hasMessageContaining("properties.group.instance.id cannot be set");
    }

    @Test
    void aMemberOfAShareGroupAcknowledgesExplicitly() {
        KafkaSettings settings = KafkaTestSettings.withShareGroup(
                KafkaTestSettings.with(Map.of("isolation.level", "read_uncommitted", "max.poll.records", "7")), 2);

        Map<String, Object> properties = new ClientProperties(settings, "node-1").shareConsumer(2);

        assertThat(properties)
                .containsEntry("group.id", "iocluster")
                .containsEntry("share.acknowledgement.mode", "explicit")
                .containsEntry("share.acquire.mode", "record_limit")
                .containsEntry("max.poll.records", "7")
                .doesNotContainKeys("enable.auto.commit", "auto.offset.reset", "isolation.level", "group.protocol");
        assertThatThrownBy(() -> KafkaTestSettings.with(Map.of("share.acknowledgement.mode", "implicit")))
                .hasMessageContaining("properties.share.acknowledgement.mode cannot be set");
    }

    @Test
    void hidesSecretsOnly() {
        KafkaSettings settings = KafkaTestSettings.with(Map.of(
                "ssl.keystore.password", "hush-1",
                "sasl.jaas.config", "hush-2",
                "ssl.keystore.key", "hush-3",
                "security.protocol", "SASL_SSL"));

        assertThat(settings.toString()).doesNotContain("hush").contains("security.protocol=SASL_SSL");
        assertThat(settings.redactedProperties()).containsEntry("sasl.jaas.config", "***");
    }

    @Test
    void refusesReservedClientProperties() {
        assertThatThrownBy(() -> KafkaTestSettings.with(Map.of("enable.auto.commit", "true", "acks", "1")))
                .isInstanceOf(InvalidSettingsException.class)
                .hasMessageContaining("properties.acks cannot be set")
                .hasMessageContaining("properties.enable.auto.commit cannot be set");
    }

    @Test
    void refusesAnAnswerTopicThatIsARequestTopic() {
        assertThatThrownBy(() -> new KafkaSettings(
                        "127.0.0.1:1",
                        RequestTopicSettings.DEFAULTS,
                        new AnswerTopicSettings("iocluster.requests", List.of()),
                        DeadLetterTopicSettings.DEFAULTS,
                        DelayedRetrySettings.DEFAULTS,
                        ClusterTopicSettings.DEFAULTS,
                        TopicCreation.DEFAULTS,
                        Map.of(),
                        Duration.ZERO,
                        0,
                        1,
                        0,
                        new DataSize(1),
                        Duration.ofHours(1),
                        Duration.ZERO,
                        Duration.ZERO))
                .hasMessageContaining("answers.topic")
                .hasMessageContaining("commit-interval")
                .hasMessageContaining("commit-batch-size")
                .hasMessageContaining("max-uncommitted-offsets")
                .hasMessageContaining("buffer-records")
                .hasMessageContaining("buffer-bytes")
                .hasMessageContaining("revoke-timeout")
                .hasMessageContaining("lag-interval")
                .hasMessageContaining("confirm-timeout must be from 1s to 1h: 0s");
    }

    @Test
    void refusesIllegalNames() {
        assertThatThrownBy(() -> RecordCopy.with(
                        RequestTopicSettings.DEFAULTS,
                        "topics",
                        List.of("a", "a/b"),
                        "group",
                        " ",
                        "maxMessageSize",
                        new DataSize(1)))
                .hasMessageContaining("topics[1] is not a legal topic name")
                .hasMessageContaining("group must not be empty")
                .hasMessageContaining("max-message-size must be from 1KiB");
        assertThatThrownBy(() -> RecordCopy.with(RequestTopicSettings.DEFAULTS, "topics", List.of()))
                .hasMessageContaining("topics must name");
        assertThatThrownBy(() -> new AnswerTopicSettings("", List.of("x y"))).hasMessageContaining("reply-to[0]");
        assertThatThrownBy(() -> new DeadLetterTopicSettings("..")).hasMessageContaining("topic");
        assertThatThrownBy(() -> new TopicCreation(true, 0, 0))
                .hasMessageContaining("partitions")
                .hasMessageContaining("replication-factor");
    }

    @Test
    void refusesDelayedTopicsWithOrderingByKeyOrWithIllegalNames() {
        KafkaSettings ordered = KafkaTestSettings.of("127.0.0.1:1", "t", Ordering.KEY, Map.of());
        DelayedRetrySettings spaced = new DelayedRetrySettings(true, "t t", List.of(Duration.ofMinutes(1)));
        KafkaSettings free = KafkaTestSettings.of("127.0.0.1:1", "t", Ordering.NONE, Map.of());

        assertThatThrownBy(() -> KafkaTestSettings.withDelayedRetries(ordered, Duration.ofMinutes(1)))
                .hasMessageContaining("delayed.enabled cannot be true with requests.ordering key");
        assertThatThrownBy(() -> KafkaTestSettings.withDelayedRetries(free, spaced))
                .hasMessageContaining("delayed.prefix is not a legal topic name: t t-1m");
    }

    @Test
    void namesDelayTopicsAndADueTopicThatAreNotAllowedAsReplyTo() {
        KafkaSettings settings = KafkaTestSettings.withDelayedRetries(
                KafkaTestSettings.of("127.0.0.1:1", "t", Ordering.NONE, Map.of()), Duration.ofMinutes(5));

        DelayedTopics topics = settings.delayedTopics();

        assertThat(topics.delayTopic(Duration.ofMinutes(5))).isEqualTo("t.delayed-5m");
        assertThat(topics.delay("t.delayed-5m")).isEqualTo(Duration.ofMinutes(5));
        assertThat(settings.consumedTopics()).containsExactly("t.requests", "t.delayed-due");
        assertThat(topics.all()).noneMatch(topic -> allows(new TopicNames(settings), from("t.requests"), topic));
        assertThat(KafkaSettings.DEFAULTS.delayedTopics().all()).isEmpty();
        assertThat(KafkaSettings.DEFAULTS.consumedTopics()).containsExactly("iocluster.requests");
    }

    @Test
    void namesTheTopicOfAnnouncementsByTheGroupAndAllowsItForNothingElse() {
        KafkaSettings settings = KafkaTestSettings.withAnswers(new AnswerTopicSettings("answers", List.of("*")));

        assertThat(settings.clusterTopic()).isEqualTo("iocluster.nodes");
        assertThat(allows(new TopicNames(settings), from("iocluster.requests"), "iocluster.nodes"))
                .isFalse();
        assertThat(TopicNames.derived("a group/ü", ".nodes")).isEqualTo("a-group--.nodes");
        assertThat(TopicNames.derived("g".repeat(300), ".nodes")).hasSize(249).endsWith("g.nodes");
        assertThatThrownBy(() -> KafkaTestSettings.withAnswers(new AnswerTopicSettings("iocluster.nodes", List.of())))
                .hasMessageContaining("cluster.topic must not be a topic that is used for something else");
        assertThatThrownBy(() -> new ClusterTopicSettings("a/b"))
                .hasMessageContaining("topic is not a legal topic name: a/b");
    }

    @Test
    void allowsOnlyConfiguredReplyToTopics() {
        TopicNames names = new TopicNames(KafkaTestSettings.withAnswers(
                new AnswerTopicSettings("answers", List.of("team-a.*", "exact", "*requests", "__*"))));

        assertThat(List.of("answers", "team-a.x", "exact"))
                .allMatch(topic -> allows(names, from("iocluster.requests"), topic));
        assertThat(List.of(
                        "other",
                        "team-aXx",
                        "exactly",
                        "iocluster.requests",
                        "__consumer_offsets",
                        "team-a.x y",
                        "iocluster.dead-letters"))
                .noneMatch(topic -> allows(names, from("iocluster.requests"), topic));
    }

    @Test
    void allowsReplyToTopicsByRequestTopic() {
        TopicNames names = replyToByTopic();

        assertThat(allows(names, from("a.in"), "a.out")).isTrue();
        assertThat(allows(names, from("a.in"), "b.out")).isFalse();
        assertThat(allows(names, from("a.in"), "answers")).isTrue();
        assertThat(allows(names, from("b.in"), "b.out")).isTrue();
        assertThat(allows(names, from("b.in"), "a.out")).isFalse();
    }

    @Test
    void allowsReplyToTopicsOfADelayedRetryByItsOriginalTopic() {
        TopicNames names = replyToByTopic();
        ConsumerRecord<byte[], byte[]> record = TestRecords.message("g.delayed-due", 0, 1, "k");
        new DelayedRetry("a.in/0/7", 1, SentStatus.NO, null, Instant.EPOCH, Instant.EPOCH)
                .toHeaders()
                .forEach(record.headers()::add);
        KafkaDelivery delayed = new OffsetDelivery(record, null, null, true, false);

        assertThat(allows(names, delayed, "a.out")).isTrue();
        assertThat(allows(names, delayed, "b.out")).isFalse();
    }

    @Test
    void replacesPlaceholdersByTheKeyAndHeadersOfTheRequest() {
        TopicNames names = new TopicNames(KafkaTestSettings.withAnswers(
                new AnswerTopicSettings("answers", List.of("{key}.out", "{header:tenant}.*"))));
        ConsumerRecord<byte[], byte[]> record = TestRecords.message("iocluster.requests", 0, 1, "team-a");
        record.headers().add("tenant", TestRecords.bytes("blue"));
        KafkaDelivery request = new OffsetDelivery(record, null, null, false, false);

        assertThat(allows(names, request, "team-a.out")).isTrue();
        assertThat(allows(names, request, "team-b.out")).isFalse();
        assertThat(allows(names, request, "blue.x")).isTrue();
        assertThat(allows(names, request, "red.x")).isFalse();
        assertThat(allows(names, from("iocluster.requests"), ".out")).isFalse();
    }

    @Test
    void refusesInvalidReplyToPatterns() {
        assertThatThrownBy(() -> new AnswerTopicSettings("a", List.of("{user-id}.out", "{header:}", "a{", "ok.{key}")))
                .hasMessageContaining("reply-to[0] has an unknown placeholder {user-id}")
                .hasMessageContaining("reply-to[1] has an unknown placeholder {header:}")
                .hasMessageContaining("reply-to[2] has a brace outside a placeholder")
                .hasMessageNotContaining("reply-to[3]");
        assertThatThrownBy(() -> RecordCopy.with(
                        RequestTopicSettings.DEFAULTS,
                        "topics",
                        List.of("a"),
                        "replyTo",
                        Map.of("a", List.of("x y"), "b", List.of("x"))))
                .hasMessageContaining("reply-to.a[0] is not a topic name")
                .hasMessageContaining("reply-to.b is not one of kafka.requests.topics");
    }

    /** Requests of {@code a.in} may name {@code a.*}, all others {@code b.*}. */
    private static TopicNames replyToByTopic() {
        return new TopicNames(KafkaTestSettings.withTopics(
                RecordCopy.with(
                        RequestTopicSettings.DEFAULTS,
                        "topics",
                        List.of("a.in", "b.in"),
                        "replyTo",
                        Map.of("a.in", List.of("a.*"))),
                new AnswerTopicSettings("answers", List.of("b.*"))));
    }

    private static KafkaDelivery from(String topic) {
        return new OffsetDelivery(TestRecords.message(topic, 0, 1, null), null, null, false, false);
    }

    @Test
    void usesTheClassicProtocolOnlyIfTheConfigurationRequiresIt() {
        assertThat(new ClientProperties(KafkaTestSettings.with(Map.of()), "n").consumer(false))
                .containsEntry("group.protocol", "consumer")
                .doesNotContainKey("partition.assignment.strategy");
        assertThat(new ClientProperties(KafkaTestSettings.with(Map.of()), "n").consumer(true))
                .containsEntry("group.protocol", "classic")
                .containsEntry("session.timeout.ms", 6_000)
                .containsEntry("heartbeat.interval.ms", 2_000)
                .containsKey("partition.assignment.strategy");
        assertThat(new ClientProperties(KafkaTestSettings.with(Map.of("session.timeout.ms", "9000")), "n")
                        .consumer(false))
                .containsEntry("group.protocol", "classic")
                .containsEntry("session.timeout.ms", "9000");
    }

    @Test
    void limitsFetchesUnlessTheConfigurationSetsALimit() {
        assertThat(new ClientProperties(KafkaTestSettings.with(Map.of()), "n").consumer(false))
                .containsEntry("fetch.max.bytes", 8 << 20)
                .containsEntry("max.partition.fetch.bytes", 512 << 10);
        assertThat(new ClientProperties(KafkaTestSettings.with(Map.of("fetch.max.bytes", "52428800")), "n")
                        .consumer(false))
                .containsEntry("fetch.max.bytes", "52428800")
                .containsEntry("max.partition.fetch.bytes", 512 << 10);
    }

    @Test
    void refreshesTheMetadataOfConsumersAndProducersUnlessTheConfigurationSetsAnAge() {
        ClientProperties defaults = new ClientProperties(KafkaTestSettings.with(Map.of()), "n");
        ClientProperties set = new ClientProperties(KafkaTestSettings.with(Map.of("metadata.max.age.ms", "9000")), "n");

        assertThat(List.of(
                        defaults.consumer(true),
                        defaults.consumer(false),
                        defaults.delayedRetryConsumer(true),
                        defaults.shareConsumer(1),
                        defaults.standaloneConsumer("answers"),
                        defaults.answerProducer("sink"),
                        defaults.requestProducer("requests", Platform.system().random())))
                .allSatisfy(client -> assertThat(client).containsEntry("metadata.max.age.ms", 2_000));
        assertThat(defaults.admin("ends")).doesNotContainKey("metadata.max.age.ms");
        assertThat(List.of(set.consumer(true), set.answerProducer("sink"), set.admin("ends")))
                .allSatisfy(client -> assertThat(client).containsEntry("metadata.max.age.ms", "9000"));
    }

    @ParameterizedTest
    @CsvSource({
        "session.timeout.ms, abc, false",
        "session.timeout.ms, 6000, true",
        "compression.type, zipped, false",
        "compression.type, lz4, true",
        "security.protocol, SASL_SSL, true",
        "metadata.max.age.ms, 999, false",
        "metadata.max.age.ms, 1000, true",
        "metadata.max.age.ms, 300000, true",
        "metadata.max.age.ms, 300001, false",
        "my.plugin.setting, anything, true",
        "schema.registry.url, http://a, true"
    })
    void findsValuesThatTheClientsReject(String property, String value, boolean valid) {
        assertThat(ClientPropertyCheck.problem(property, value) == null).isEqualTo(valid);
    }

    @ParameterizedTest
    @CsvSource({
        "akcs, acks",
        "sasl.mechansim, sasl.mechanism",
        "security-protocol, security.protocol",
        "fetch.max.byte, fetch.max.bytes",
        "linger.m, linger.ms"
    })
    void suggestsTheCorrectNameOfAMisspelledProperty(String property, String meant) {
        assertThatThrownBy(() -> KafkaTestSettings.with(Map.of(property, "1")))
                .hasMessageContaining("properties." + property
                        + " is not a property of the Kafka clients; did you mean " + meant + "?");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "127.0.0.1:9092                | ",
                "a.example:9092, b.example:9093| ",
                "[::1]:9092                    | ",
                "localhost                     | localhost",
                "a:9092,b                      | b",
                "a:0                           | a:0",
                "a:99999                       | a:99999"
            })
    void findsInvalidBootstrapAddresses(String servers, String invalid) {
        assertThat(ClientPropertyCheck.invalidAddress(servers)).isEqualTo(invalid);
    }

    private static boolean allows(TopicNames names, KafkaDelivery request, String topic) {
        return names.allowsReplyTo(request, request.message().key(), topic);
    }
}
