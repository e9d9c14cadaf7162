package io.iocluster.lab.takeover;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.lab.takeover.CallStream.Impact;
import io.iocluster.lab.takeover.InstalledNode.Signal;
import io.iocluster.lab.takeover.MeasuredCluster.Nodes;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Replaces two nodes of an earlier version by this one and back, one node after another, while calls are made. Counts what is lost, late or
 * repeated. The suite does not run it: {@code bin/upgrade-test} builds the earlier version and sets the property {@code iocluster.earlier} to its
 * distribution. Each method takes two minutes.
 */
class UpgradeMeasurement {

    private static final int PER_SECOND = 500;
    private static final int NODES = 2;

    @Test
    void kafka() throws Exception {
        measure("Kafka", MeasuredBroker.kafka(Map.of(), ""));
    }

    @Test
    void rabbit() throws Exception {
        measure("RabbitMQ", MeasuredBroker.rabbit());
    }

    private static void measure(String name, MeasuredBroker broker) throws Exception {
        Path earlier = Path.of(System.getProperty("iocluster.earlier"));
        Path current = MeasuredCluster.installed();
        try (MeasuredCluster cluster = new MeasuredCluster(broker, Nodes.of(NODES), earlier)) {
            CallStream stream = cluster.call(PER_SECOND);
            stream.awaitSettled();
            stream.forgetFailures();
            int from = stream.sent();
            for (Path version : List.of(current, earlier)) {
                for (int i = 0; i < NODES; i++) {
                    cluster.node(i).end(Signal.SIGTERM);
                    cluster.node(i).moveTo(version);
                    cluster.node(i).start();
                    cluster.node(i).awaitRunning();
                    stream.awaitSettled();
                }
            }
            // Waits until each call is answered; a lost one would never be.
            stream.finish();
            Impact impact = stream.impact(from, stream.sent());
            System.out.printf(
                    "UpgradeMeasurement: %s: %s, repeated answers=%d, repeated calls=%d%n",
                    name,
                    impact,
                    stream.repeatedAnswers(),
                    cluster.targetCalls()
                            - stream.sent()
                            + stream.impact(0, stream.sent()).expired());
            assertThat(stream.firstFailure()).isNull();
            assertThat(impact.expired()).isZero();
        }
    }
}
