package io.iocluster.kafka.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.iocluster.kafka.KafkaTestSettings;
import io.iocluster.kafka.KafkaTransport;
import io.iocluster.kafka.config.KafkaConnections;
import io.iocluster.kafka.config.KafkaSettings;
import io.iocluster.kafka.config.KafkaSettings.Ordering;
import io.iocluster.testkit.contract.RecordingIntake;
import io.iocluster.testkit.kafka.KafkaBroker;
import io.iocluster.testkit.process.JavaCommand;
import io.iocluster.testkit.process.JavaProcess;
import io.iocluster.transport.RequestSource;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.GroupState;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Takeover after a node of the group is killed, on a broker with Kafka's defaults for groups. */
class KafkaFailoverIT {

    private static final String GROUP = "takeover";

    private static final Logger LOG = LoggerFactory.getLogger(KafkaFailoverIT.class);
    /** Much longer than a restart takes, also on a busy machine. */
    private static final Duration SESSION_TIMEOUT = Duration.ofSeconds(15);

    @TempDir
    Path folder;

    @Test
    void readsThePartitionsOfAKilledNodeWithinTenSeconds() throws Exception {
        try (KafkaBroker broker = KafkaBroker.launch(Map.of(
                        "group.consumer.min.session.timeout.ms", "45000",
                        "group.consumer.session.timeout.ms", "45000",
                        "group.consumer.min.heartbeat.interval.ms", "5000",
                        "group.consumer.heartbeat.interval.ms", "5000"));
                Admin admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrapServers()))) {
            broker.createTopic(GROUP + ".requests", 4, Map.of());
            JavaProcess killed = JavaProcess.start(new JavaCommand(
                    JavaCommand.ownClassPath(),
                    List.of("-Xmx128m"),
                    GroupMember.class.getName(),
                    List.of(broker.bootstrapServers()),
                    folder.resolve("member.log")));
            try (RequestSource survivor = new KafkaTransport(
                            KafkaConnections.ofSystem(settings(broker.bootstrapServers()), "survivor"))
                    .source()) {
                await().until(() -> members(admin) == 1);
                survivor.start(
                        new RecordingIntake(delivery -> delivery.settlement().acknowledge()));
                await().until(() -> survivor.status().lags().size() == 2);

                killed.kill();
                long start = System.nanoTime();

                await().until(() -> survivor.status().lags().size() == 4);
                Duration took = Duration.ofNanos(System.nanoTime() - start);
                LOG.info("Partitions of a killed node read after={}", took);
                assertThat(took).isLessThan(Duration.ofSeconds(10));
            } finally {
                killed.kill();
            }
        }
    }

    /**
     * Without {@code group.instance.id} the restart takes as long as the session timeout. This test measures how much
     * the property saves.
     */
    @Test
    void aKilledNodeWithAnInstanceIdReadsAtOnceAfterItsRestart() throws Exception {
        try (KafkaBroker broker = KafkaBroker.launch();
                Admin admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrapServers()))) {
            broker.createTopic(GROUP + ".requests", 4, Map.of());
            Duration dynamic = restart(broker, admin, "");
            Duration fixed = restart(broker, admin, "node-1");

            LOG.info("Restart of a killed node without group.instance.id={} with={}", dynamic, fixed);
            assertThat(fixed).isLessThan(SESSION_TIMEOUT).isLessThan(dynamic);
        }
    }

    @Test
    void isTheOnlyReaderUnlessAnotherNodeIsInItsGroup() throws Exception {
        KafkaBroker broker = KafkaBroker.launch();
        try (broker;
                Admin admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrapServers()));
                RequestSource reading = new KafkaTransport(
                                KafkaConnections.ofSystem(settings(broker.bootstrapServers()), "node-1"))
                        .source();
                RequestSource other = new KafkaTransport(
                                KafkaConnections.ofSystem(settings(broker.bootstrapServers()), "node-2"))
                        .source()) {
            broker.createTopic(GROUP + ".requests", 4, Map.of());
            assertThat(other.isOnlyReader()).as("a group that does not exist").isTrue();

            reading.start(new RecordingIntake(delivery -> delivery.settlement().acknowledge()));
            await().until(() -> members(admin) == 1);

            assertThat(other.isOnlyReader()).as("another node reads").isFalse();
            // A process of the same node that was killed is a member until its session ends.
            assertThat(reading.isOnlyReader()).as("only this node is a member").isTrue();
            broker.stop();
            assertThat(reading.isOnlyReader()).as("the broker is unreachable").isFalse();
        }
    }

    /** Returns the time until the restarted node reads all partitions. */
    private Duration restart(KafkaBroker broker, Admin admin, String instance) throws Exception {
        JavaProcess killed = JavaProcess.start(new JavaCommand(
                JavaCommand.ownClassPath(),
                List.of("-Xmx128m"),
                GroupMember.class.getName(),
                List.of(broker.bootstrapServers(), instance),
                folder.resolve("member.log")));
        await().until(() -> members(admin) == 1);
        killed.kill();
        long start = System.nanoTime();
        try (RequestSource again = new KafkaTransport(
                        KafkaConnections.ofSystem(settings(broker.bootstrapServers(), instance), "node-1"))
                .source()) {
            again.start(new RecordingIntake(delivery -> delivery.settlement().acknowledge()));
            await().until(() -> again.status().lags().size() == 4);
            return Duration.ofNanos(System.nanoTime() - start);
        }
    }

    private static int members(Admin admin) {
        try {
            var group = admin.describeConsumerGroups(List.of(GROUP))
                    .describedGroups()
                    .get(GROUP)
                    .get();
            return group.groupState() == GroupState.STABLE ? group.members().size() : 0;
        } catch (Exception notYet) {
            return 0;
        }
    }

    private static KafkaSettings settings(String bootstrap, String instance) {
        Map<String, String> properties = new HashMap<>(
                Map.of("group.protocol", "classic", "session.timeout.ms", Long.toString(SESSION_TIMEOUT.toMillis())));
        if (!instance.isEmpty()) {
            properties.put("group.instance.id", instance);
        }
        return KafkaTestSettings.of(bootstrap, GROUP, Ordering.NONE, properties);
    }

    private static KafkaSettings settings(String bootstrap) {
        return KafkaTestSettings.of(bootstrap, GROUP, Ordering.NONE, Map.of());
    }

    /** Main class of a node that another JVM can kill. */
    public static final class GroupMember {

        private GroupMember() {}

        public static void main(String[] arguments) throws InterruptedException {
            RequestSource source = new KafkaTransport(KafkaConnections.ofSystem(
                            arguments.length == 1 ? settings(arguments[0]) : settings(arguments[0], arguments[1]),
                            "killed"))
                    .source();
            source.start(new RecordingIntake(delivery -> delivery.settlement().acknowledge()));
            Thread.currentThread().join();
        }
    }
}
