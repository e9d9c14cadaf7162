package io.iocluster.lab.takeover;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.lab.takeover.CallStream.Impact;
import io.iocluster.lab.takeover.InstalledNode.Signal;
import io.iocluster.lab.takeover.MeasuredCluster.Nodes;
import io.iocluster.testkit.process.FixedWait;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Measures how long calls wait after one of two nodes was killed or drained, with the defaults of nodes and brokers: 400 calls a second
 * with deadlines of five seconds. The suite does not run it. Each method takes up to four minutes:
 *
 * <pre>
 * mvn verify -pl iocluster-lab -am -Dit.test=TakeoverMeasurement#rabbit -Dfailsafe.failIfNoSpecifiedTests=false -Dtest=none
 *     -Dsurefire.failIfNoSpecifiedTests=false -Dshort-lived.jvm.flags=
 * </pre>
 */
class TakeoverMeasurement {

    private static final int PER_SECOND = 400;
    private static final int ROUNDS = 3;
    /** After this time the calls that a lost node delays are late. */
    private static final int NOTICE_MILLIS = 3_000;

    private static final List<Signal> BOTH = List.of(Signal.SIGKILL, Signal.SIGTERM);

    @Test
    void kafka() throws Exception {
        measure("Kafka, defaults", MeasuredBroker.kafka(Map.of(), ""), BOTH);
    }

    @Test
    void kafkaWithTheConsumerProtocol() throws Exception {
        measure(
                "Kafka, group.protocol: consumer",
                MeasuredBroker.kafka(Map.of(), "  properties: {group.protocol: consumer}"),
                List.of(Signal.SIGKILL));
    }

    /** The node chooses this protocol, because the session timeout of the broker is short. */
    @Test
    void kafkaWithShortSessionsOfTheConsumerProtocol() throws Exception {
        Map<String, String> sessions = Map.of(
                "group.consumer.session.timeout.ms", "3000",
                "group.consumer.min.session.timeout.ms", "3000",
                "group.consumer.heartbeat.interval.ms", "500",
                "group.consumer.min.heartbeat.interval.ms", "500");
        measure("Kafka, consumer protocol, sessions of 3 s", MeasuredBroker.kafka(sessions, ""), BOTH);
    }

    @Test
    void kafkaWithShortSessionsOfTheClassicProtocol() throws Exception {
        measure(
                "Kafka, classic protocol, sessions of 3 s",
                MeasuredBroker.kafka(
                        Map.of("group.min.session.timeout.ms", "3000"),
                        "  properties: {session.timeout.ms: 3000, heartbeat.interval.ms: 500}"),
                BOTH);
    }

    @Test
    void kafkaWithAShareGroup() throws Exception {
        measure(
                "Kafka, share group",
                MeasuredBroker.kafka(Map.of(), "  requests: {group: iocluster-share, mode: share}"),
                BOTH);
    }

    @Test
    void rabbit() throws Exception {
        measure("RabbitMQ, defaults", MeasuredBroker.rabbit(), BOTH);
    }

    private static void measure(String name, MeasuredBroker broker, List<Signal> signals) throws Exception {
        try (MeasuredCluster cluster = new MeasuredCluster(broker, Nodes.of(2))) {
            CallStream stream = cluster.call(PER_SECOND);
            stream.awaitSettled();
            for (Signal signal : signals) {
                for (int round = 0; round < ROUNDS; round++) {
                    // Calls that are open when the node ends are affected too.
                    int from = stream.sent() - PER_SECOND;
                    cluster.node(1).end(signal);
                    FixedWait.millis(NOTICE_MILLIS);
                    stream.awaitNoLateCall();
                    int lost = stream.sent() - PER_SECOND;
                    cluster.node(1).start();
                    cluster.node(1).awaitRunning();
                    stream.awaitSettled();
                    int back = stream.sent() - PER_SECOND;
                    print(name + ", " + signal, stream.impact(from, lost));
                    print(name + ", start", stream.impact(lost, back));
                }
            }
            stream.finish();
            assertThat(stream.firstFailure()).isNull();
        }
    }

    private static void print(String change, Impact impact) {
        System.out.printf("TakeoverMeasurement: %s: %s%n", change, impact);
    }
}
