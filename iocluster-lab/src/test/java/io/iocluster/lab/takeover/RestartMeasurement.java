package io.iocluster.lab.takeover;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.lab.takeover.InstalledNode.Signal;
import io.iocluster.lab.takeover.MeasuredCluster.Nodes;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Measures how many calls expire while a node is restarted, with the defaults of nodes and brokers: 2,000 calls a second with deadlines of
 * five seconds. The suite does not run it. Each method takes up to three minutes:
 *
 * <pre>
 * mvn verify -pl iocluster-lab -am -Dit.test=RestartMeasurement#kafkaAlone -Dfailsafe.failIfNoSpecifiedTests=false -Dtest=none
 *     -Dsurefire.failIfNoSpecifiedTests=false -Dshort-lived.jvm.flags=
 * </pre>
 */
class RestartMeasurement {

    private static final int PER_SECOND = 2_000;
    private static final int ROUNDS = 3;

    @Test
    void kafkaAlone() throws Exception {
        measure("Kafka, one node", MeasuredBroker.kafka(Map.of(), ""), Nodes.of(1));
    }

    @Test
    void kafkaAloneWithAShortWarmUp() throws Exception {
        measure(
                "Kafka, one node, warm-up of 1 s",
                MeasuredBroker.kafka(Map.of(), ""),
                Nodes.of(1).withShortWarmUp());
    }

    @Test
    void kafkaAloneWithAnInstanceId() throws Exception {
        measure(
                "Kafka, one node, group.instance.id",
                MeasuredBroker.kafka(Map.of(), ""),
                Nodes.of(1).withInstanceIds());
    }

    @Test
    void kafkaOneOfTwo() throws Exception {
        measure("Kafka, one of two nodes", MeasuredBroker.kafka(Map.of(), ""), Nodes.of(2));
    }

    @Test
    void rabbitAlone() throws Exception {
        measure("RabbitMQ, one node", MeasuredBroker.rabbit(), Nodes.of(1));
    }

    @Test
    void rabbitAloneWithAShortWarmUp() throws Exception {
        measure(
                "RabbitMQ, one node, warm-up of 1 s",
                MeasuredBroker.rabbit(),
                Nodes.of(1).withShortWarmUp());
    }

    @Test
    void rabbitOneOfTwo() throws Exception {
        measure("RabbitMQ, one of two nodes", MeasuredBroker.rabbit(), Nodes.of(2));
    }

    private static void measure(String name, MeasuredBroker broker, Nodes nodes) throws Exception {
        // The last node is restarted, and the others stay.
        int restarted = nodes.count() - 1;
        try (MeasuredCluster cluster = new MeasuredCluster(broker, nodes)) {
            CallStream stream = cluster.call(PER_SECOND);
            stream.awaitSettled();
            stream.forgetFailures();
            for (Signal signal : Signal.values()) {
                for (int round = 0; round < ROUNDS; round++) {
                    // Calls that are open when the node ends are affected too.
                    int from = stream.sent() - PER_SECOND;
                    long start = System.nanoTime();
                    cluster.node(restarted).end(signal);
                    double ended = seconds(start);
                    cluster.node(restarted).start();
                    cluster.node(restarted).awaitRunning();
                    double running = seconds(start);
                    stream.awaitSettled();
                    System.out.printf(
                            "RestartMeasurement: %s, %s: ended after %.1f s, running after %.1f s: %s%n",
                            name, signal, ended, running, stream.impact(from, stream.sent() - PER_SECOND));
                }
            }
            stream.finish();
            assertThat(stream.firstFailure()).isNull();
        }
    }

    private static double seconds(long start) {
        return (System.nanoTime() - start) / 1e9;
    }
}
