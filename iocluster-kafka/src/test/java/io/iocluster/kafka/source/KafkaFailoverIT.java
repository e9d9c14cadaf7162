package io.iocluster.kafka.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.iocluster.kafka.GroupConfig;
import io.iocluster.kafka.KafkaTestSettings;
import io.iocluster.kafka.KafkaTransport;
import io.iocluster.kafka.config.KafkaConnections;
import io.iocluster.kafka.config.KafkaSettings;
import io.iocluster.kafka.config.KafkaSettings.Ordering;
import io.iocluster.testkit.contract.RecordingIntake;
import io.iocluster.testkit.junit.SharedBrokers;
import io.iocluster.testkit.kafka.KafkaBroker;
import io.iocluster.testkit.process.FreePorts;
import io.iocluster.testkit.process.JavaCommand;
import io.iocluster.testkit.process.JavaProcess;
import io.iocluster.transport.RequestSource;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.GroupState;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Takeover after a node of the group is killed. */
class KafkaFailoverIT {

    private static final AtomicInteger TESTS = new AtomicInteger();

    /** Much longer than any wait of the tests. */
    private static final Duration LONG_SESSION = Duration.ofMinutes(10);

    private static KafkaBroker broker;
    private static Admin admin;

    @TempDir
    Path folder;

    private final String group = "takeover-" + TESTS.incrementAndGet();

    @BeforeAll
    static void emptyBroker() {
        broker = SharedBrokers.emptyKafka();
        admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrapServers()));
    }

    @AfterAll
    static void closeAdmin() {
        admin.close(Duration.ofSeconds(1));
    }

    @BeforeEach
    void createTopic() {
        broker.createTopic(group + ".requests", 4, Map.of());
    }

    @Test
    void readsThePartitionsOfAKilledNodeBeforeTheSessionThatTheBrokerSetsEnds() throws Exception {
        GroupConfig.set(admin, group, "consumer.session.timeout.ms", LONG_SESSION);
        JavaProcess killed = startMember();
        try (RequestSource survivor = source("survivor")) {
            await().until(() -> members() == 1);
            survivor.start(RecordingIntake.acknowledging());
            await().until(() -> survivor.status().lags().size() == 2);

            killed.kill();

            await().until(() -> survivor.status().lags().size() == 4);
        } finally {
            killed.kill();
        }
    }

    @Test
    void aKilledNodeWithAnInstanceIdReadsAfterItsRestartBeforeItsSessionEnds() throws Exception {
        JavaProcess killed = startMember("node-1");
        await().until(() -> members() == 1);
        killed.kill();

        try (RequestSource again = new KafkaTransport(
                        KafkaConnections.ofSystem(settings(broker.bootstrapServers(), group, "node-1"), "node-1"))
                .source()) {
            again.start(RecordingIntake.acknowledging());

            await().until(() -> again.status().lags().size() == 4);
        }
    }

    @Test
    void isTheOnlyReaderUnlessAnotherNodeIsInItsGroup() throws Exception {
        String closedPort = "127.0.0.1:" + FreePorts.find(1)[0];
        try (RequestSource reading = source("node-1");
                RequestSource other = source("node-2");
                RequestSource unreachable =
                        new KafkaTransport(KafkaConnections.ofSystem(settings(closedPort, group), "node-3")).source()) {
            assertThat(other.isOnlyReader()).as("a group that does not exist").isTrue();

            reading.start(RecordingIntake.acknowledging());
            await().until(() -> members() == 1);

            assertThat(other.isOnlyReader()).as("another node reads").isFalse();
            // A process of the same node that was killed is a member until its session ends.
            assertThat(reading.isOnlyReader()).as("only this node is a member").isTrue();
            assertThat(unreachable.isOnlyReader())
                    .as("the broker is unreachable")
                    .isFalse();
        }
    }

    /** Starts a member of the group that the test can kill. */
    private JavaProcess startMember(String... instance) {
        List<String> arguments = new ArrayList<>(List.of(broker.bootstrapServers(), group));
        arguments.addAll(List.of(instance));
        return JavaProcess.start(new JavaCommand(
                JavaCommand.ownClassPath(),
                List.of("-Xmx128m"),
                GroupMember.class.getName(),
                arguments,
                folder.resolve("member.log")));
    }

    private RequestSource source(String node) {
        return new KafkaTransport(KafkaConnections.ofSystem(settings(broker.bootstrapServers(), group), node)).source();
    }

    private int members() {
        try {
            var described = admin.describeConsumerGroups(List.of(group))
                    .describedGroups()
                    .get(group)
                    .get();
            return described.groupState() == GroupState.STABLE
                    ? described.members().size()
                    : 0;
        } catch (Exception notYet) {
            return 0;
        }
    }

    private static KafkaSettings settings(String bootstrap, String group, String instance) {
        return KafkaTestSettings.of(
                bootstrap,
                group,
                Ordering.NONE,
                Map.of(
                        "group.protocol",
                        "classic",
                        "session.timeout.ms",
                        Long.toString(LONG_SESSION.toMillis()),
                        "group.instance.id",
                        instance));
    }

    private static KafkaSettings settings(String bootstrap, String group) {
        return KafkaTestSettings.of(bootstrap, group, Ordering.NONE, Map.of());
    }

    /** Main class of a node that another JVM can kill. */
    public static final class GroupMember {

        private GroupMember() {}

        public static void main(String[] arguments) throws InterruptedException {
            RequestSource source = new KafkaTransport(KafkaConnections.ofSystem(
                            arguments.length == 2
                                    ? settings(arguments[0], arguments[1])
                                    : settings(arguments[0], arguments[1], arguments[2]),
                            "killed"))
                    .source();
            source.start(RecordingIntake.acknowledging());
            Thread.currentThread().join();
        }
    }
}
