package io.iocluster.node.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.node.KafkaNodeFixture;
import io.iocluster.testkit.process.FreePorts;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class CheckCommandIT {

    private static KafkaNodeFixture fixture;
    private static String config;

    @BeforeAll
    static void startFixture() {
        fixture = new KafkaNodeFixture(1, Map.of());
        config = fixture.configure("client", "none").toString();
    }

    @AfterAll
    static void clear() {
        fixture.close();
    }

    @Test
    void succeedsIfAllTopicsExist() {
        fixture.broker.createTopic("plain", 1, Map.of("compression.type", "uncompressed"));
        Map<String, String> plain = Map.of("IOCLUSTER_KAFKA_REQUESTS_TOPICS", "[plain]");

        CommandRun check = CommandRun.of("", plain, "check", "--connect", "--config", config);

        assertThat(check.err().lines().toList())
                .hasSize(5)
                .startsWith("kafka: reached " + fixture.broker.bootstrapServers())
                .endsWith("kafka: topic " + fixture.clusterTopic() + ": 1 partition")
                .allMatch(line ->
                        line.startsWith("kafka: reached ") || line.matches("kafka: topic \\S+: \\d+ partitions?"));
        assertThat(check.code()).isZero();
        assertThat(check.out()).contains("bootstrap-servers: " + fixture.broker.bootstrapServers());
    }

    @Test
    void reportsEachMissingTopic() {
        Map<String, String> elsewhere =
                Map.of("IOCLUSTER_KAFKA_ANSWERS_TOPIC", "gone", "IOCLUSTER_KAFKA_DEAD_LETTERS_TOPIC", "lost");

        CommandRun check = CommandRun.of("", elsewhere, "check", "--connect", "--config", config);

        assertThat(check.code()).isEqualTo(1);
        assertThat(check.err().lines())
                .containsExactly("kafka: topic gone: does not exist", "kafka: topic lost: does not exist");
    }

    @Test
    void warnsOfATopicThatTakesSmallerMessagesThanTheRequests() {
        fixture.broker.createTopic("small", 1, Map.of("max.message.bytes", "1000"));
        Map<String, String> small = Map.of("IOCLUSTER_KAFKA_DEAD_LETTERS_TOPIC", "small");

        CommandRun check = CommandRun.of("", small, "check", "--connect", "--config", config);

        assertThat(check.err().lines())
                .contains(
                        "warning: kafka: topic small: max.message.bytes is 1000, and requests may have 1048588: larger"
                                + " dead letters are truncated; raise it to at least 1052684");
        assertThat(check.code()).isZero();
    }

    @Test
    void warnsOfATopicThatTakesSmallerAnswersThanTheNodeCreates() {
        Map<String, String> large = Map.of("IOCLUSTER_HTTP_MAX_RESPONSE_BODY", "3MiB");
        Map<String, String> failing =
                Map.of("IOCLUSTER_HTTP_MAX_RESPONSE_BODY", "3MiB", "IOCLUSTER_HTTP_WHEN_BODY_TOO_LARGE", "fail");
        fixture.broker.createTopic("huge", 1, Map.of("max.message.bytes", "100000000"));
        Map<String, String> huge =
                Map.of("IOCLUSTER_HTTP_MAX_RESPONSE_BODY", "30MiB", "IOCLUSTER_KAFKA_ANSWERS_TOPIC", "huge");

        CommandRun check = CommandRun.of("", large, "check", "--connect", "--config", config);
        CommandRun checkOfFailing = CommandRun.of("", failing, "check", "--connect", "--config", config);
        CommandRun checkOfHuge = CommandRun.of("", huge, "check", "--connect", "--config", config);

        assertThat(check.err().lines())
                .contains("warning: kafka: topic " + KafkaNodeFixture.ANSWERS + ": max.message.bytes is 1048588, and"
                        + " http.max-response-body is 3MiB: longer bodies are truncated to what fits; raise it to at"
                        + " least 6295552, or lower http.max-response-body");
        assertThat(check.code()).isZero();
        assertThat(checkOfFailing.err()).contains("answers with a longer body fail with answer-too-large");
        assertThat(checkOfHuge.err())
                .contains("warning: kafka: topic huge: max.request.size of the node's producer is 33554432, and");
    }

    @Test
    void warnsThatNodesDoNotSeeEachOtherWithoutTheTopicOfAnnouncements() {
        Map<String, String> unseen = Map.of("IOCLUSTER_KAFKA_CLUSTER_TOPIC", "nowhere");
        Map<String, String> off =
                Map.of("IOCLUSTER_KAFKA_CLUSTER_TOPIC", "nowhere", "IOCLUSTER_CLUSTER_ENABLED", "false");

        CommandRun check = CommandRun.of("", unseen, "check", "--connect", "--config", config);
        CommandRun without = CommandRun.of("", off, "check", "--connect", "--config", config);

        assertThat(check.err().lines())
                .contains(
                        "warning: kafka: topic nowhere: does not exist; without it, nodes do not see each other: create it"
                                + " with one partition, or set cluster.enabled: false");
        assertThat(check.code()).isZero();
        assertThat(without.err()).doesNotContain("nowhere");
    }

    @Test
    void reportsThatTheBrokerIsUnreachable() {
        Map<String, String> unreachable =
                Map.of("IOCLUSTER_KAFKA_BOOTSTRAP_SERVERS", "127.0.0.1:" + FreePorts.find(1)[0]);

        CommandRun check = CommandRun.of("", unreachable, "check", "--connect", "--config", config);

        assertThat(check.code()).isEqualTo(1);
        assertThat(check.err().lines())
                .containsExactly("kafka: no broker answers at " + unreachable.get("IOCLUSTER_KAFKA_BOOTSTRAP_SERVERS"));
    }

    @Test
    void acceptsMissingTopicsThatTheNodeWillCreate() {
        Map<String, String> making =
                Map.of("IOCLUSTER_KAFKA_ANSWERS_TOPIC", "gone", "IOCLUSTER_KAFKA_CREATE_TOPICS_ENABLED", "true");

        CommandRun check = CommandRun.of("", making, "check", "--connect", "--config", config);

        assertThat(check.err().lines()).hasSize(5).contains("kafka: topic gone: will be created");
        assertThat(check.code()).isZero();
    }

    @Test
    void answersReportsWhyTheBrokerCannotBeUsed() {
        Map<String, String> broken = Map.of(
                "IOCLUSTER_KAFKA_PROPERTIES",
                "{security.protocol: SSL, ssl.truststore.type: PEM, ssl.truststore.location: nowhere.pem}");

        CommandRun answers = CommandRun.of("", broken, "answers", "--config", config);

        assertThat(answers.code()).isEqualTo(1);
        assertThat(answers.err())
                .startsWith("iocluster: kafka: " + fixture.broker.bootstrapServers() + ": ")
                .contains("nowhere.pem");
    }
}
