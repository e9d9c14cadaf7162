package io.iocluster.kafka.cluster;

import static org.assertj.core.api.Assertions.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;
import static org.awaitility.Awaitility.await;

import io.iocluster.kafka.KafkaTestSettings;
import io.iocluster.kafka.config.KafkaConnections;
import io.iocluster.kafka.config.KafkaSettings;
import io.iocluster.kafka.config.KafkaSettings.Ordering;
import io.iocluster.kafka.config.KafkaSettings.TopicCreation;
import io.iocluster.kafka.config.KafkaTopicAdmin.TopicReport;
import io.iocluster.testkit.contract.ClusterChannelContract;
import io.iocluster.testkit.contract.ClusterChannelFixture;
import io.iocluster.testkit.junit.CapturedLog;
import io.iocluster.testkit.junit.SharedBrokers;
import io.iocluster.testkit.kafka.KafkaBroker;
import io.iocluster.testkit.process.FixedWait;
import io.iocluster.testkit.record.RecordCopy;
import io.iocluster.transport.cluster.ClusterChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class KafkaClusterChannelIT {

    private static final AtomicInteger TESTS = new AtomicInteger();
    private static KafkaBroker broker;

    @BeforeAll
    static void emptyBroker() {
        broker = SharedBrokers.emptyKafka();
    }

    @Nested
    class Contract extends ClusterChannelContract {

        @Override
        public ClusterChannelFixture newFixture() {
            return new KafkaClusterChannelFixture(broker, "cluster-" + TESTS.incrementAndGet());
        }
    }

    @Test
    void createsACompactedTopicWithOnePartitionThatRefusesLargeRecords() throws Exception {
        KafkaSettings settings = settings(true);
        ClusterTopic topic = new ClusterTopic(KafkaConnections.ofSystem(settings, "node-1"));
        assertThat(topic.check(Duration.ofSeconds(10)))
                .isEqualTo(new TopicReport(settings.clusterTopic(), false, 0, null, null, List.of()));

        List<String> received = new CopyOnWriteArrayList<>();
        ClusterChannel channel = new KafkaClusterChannel(KafkaConnections.ofSystem(settings, "node-1"));
        channel.start(record -> received.add(new String(record, StandardCharsets.UTF_8)));

        // A busy broker may not confirm a record in time, and the channel does not send it again.
        await().until(() -> {
            channel.announce(utf8("hello"));
            return received.contains("hello");
        });
        channel.close(null, Duration.ofSeconds(5));
        assertThat(topic.check(Duration.ofSeconds(10)).partitions()).isOne();
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrapServers()))) {
            ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, settings.clusterTopic());
            Config config = admin.describeConfigs(List.of(resource)).all().get().get(resource);
            assertThat(config.get("cleanup.policy").value().split(",")).containsExactlyInAnyOrder("compact", "delete");
            assertThat(config.get("max.message.bytes").value()).isEqualTo("65536");
            assertThat(config.get("compression.type").value()).isEqualTo("uncompressed");
        }
    }

    @Test
    void saysThatTheTopicIsMissingUntilSomeoneCreatesIt() {
        KafkaSettings settings = settings(false);
        ClusterChannel channel = new KafkaClusterChannel(KafkaConnections.ofSystem(settings, "node-1"));
        List<byte[]> received = new CopyOnWriteArrayList<>();
        channel.start(received::add);
        try {
            await().until(() -> channel.status().problem().contains("does not exist"));
            assertThat(channel.status().problem())
                    .contains(settings.clusterTopic(), "kafka.create-topics.enabled", "cluster.enabled: false");
            assertThat(new ClusterTopic(KafkaConnections.ofSystem(settings, "check"))
                            .check(Duration.ofSeconds(10))
                            .isMissing())
                    .isTrue();

            broker.createTopic(settings.clusterTopic(), 1, Map.of());
            await().until(() -> {
                channel.announce(utf8("hello"));
                return !received.isEmpty();
            });
            await().until(() -> channel.status().problem() == null);
        } finally {
            channel.close(null, Duration.ofSeconds(5));
        }
    }

    @Test
    void saysWhatToDoIfTheBrokerRefusesToCreateTheTopic() {
        KafkaSettings settings = settings(new TopicCreation(true, 12, 3));
        ClusterChannel channel = new KafkaClusterChannel(KafkaConnections.ofSystem(settings, "node-1"));
        try (CapturedLog log = CapturedLog.of(KafkaClusterChannel.class)) {
            channel.start(record -> {});

            await().until(() -> channel.status().problem().contains("cannot be created"));
            assertThat(log.messages())
                    .singleElement(as(STRING))
                    .startsWith("Announcing this node failed: topic \"" + settings.clusterTopic()
                            + "\" cannot be created: ")
                    .contains("replication factor", "; create it with one partition, or set cluster.enabled: false");
        } finally {
            channel.close(null, Duration.ofSeconds(5));
        }
    }

    @Test
    void saysWhichPermissionsAreMissing() {
        ClusterTopic topic = new ClusterTopic(KafkaConnections.ofSystem(settings(false), "node-1"));

        assertThat(topic.explain(new TopicAuthorizationException(Set.of(topic.name()))))
                .endsWith("; grant this node read, write and describe on topic \"" + topic.name()
                        + "\", or set cluster.enabled: false");
        assertThat(topic.explain(new TimeoutException("late"))).isEqualTo("late");
    }

    @Test
    void sendsRecordsBeforeASlowBrokerHasConfirmedTheFirst() {
        List<String> received = new CopyOnWriteArrayList<>();
        ClusterChannel channel = new KafkaClusterChannel(KafkaConnections.ofSystem(settings(true), "node-1"));
        channel.announce(utf8("before"));
        channel.start(record -> received.add(new String(record, StandardCharsets.UTF_8)));
        try {
            await().until(() -> received.contains("before"));

            broker.pause();
            try {
                for (String each : List.of("first", "second", "third")) {
                    channel.announce(utf8(each));
                    // The broker answers nothing for this time, in which the channel looks for the next record several
                    // times.
                    FixedWait.millis(400);
                }
            } finally {
                broker.unpause();
            }

            await().until(() -> received.contains("third"));
            assertThat(received).contains("first", "second");
            assertThat(channel.status().failed()).isZero();
        } finally {
            channel.close(null, Duration.ofSeconds(5));
        }
    }

    @Test
    void continuesWhenItsTopicIsDeletedAndCreatedAgain() throws Exception {
        KafkaSettings settings = settings(true);
        List<String> received = new CopyOnWriteArrayList<>();
        ClusterChannel channel = new KafkaClusterChannel(KafkaConnections.ofSystem(settings, "node-1"));
        channel.announce(utf8("before"));
        channel.start(record -> received.add(new String(record, StandardCharsets.UTF_8)));
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrapServers()))) {
            await().until(() -> received.contains("before"));

            admin.deleteTopics(List.of(settings.clusterTopic())).all().get();

            await().atMost(Duration.ofSeconds(60)).until(() -> {
                channel.announce(utf8("after"));
                return received.contains("after");
            });
        } finally {
            channel.close(null, Duration.ofSeconds(5));
        }
    }

    private static KafkaSettings settings(boolean create) {
        return settings(new TopicCreation(create, 12, 1));
    }

    private static KafkaSettings settings(TopicCreation creation) {
        return RecordCopy.with(
                KafkaTestSettings.of(
                        broker.bootstrapServers(), "own-" + TESTS.incrementAndGet(), Ordering.NONE, Map.of()),
                "createTopics",
                creation);
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
