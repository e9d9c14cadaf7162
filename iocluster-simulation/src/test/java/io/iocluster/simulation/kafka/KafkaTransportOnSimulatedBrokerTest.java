package io.iocluster.simulation.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.kafka.KafkaTransport;
import io.iocluster.kafka.config.KafkaConnections;
import io.iocluster.kafka.config.KafkaSettings;
import io.iocluster.testkit.simulation.SimulatedProcess;
import io.iocluster.testkit.simulation.Simulation;
import io.iocluster.testkit.simulation.Trace;
import io.iocluster.transport.Delivery;
import io.iocluster.transport.PublishResult;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

/** Runs the source and the sink of the Kafka transport on virtual time. */
class KafkaTransportOnSimulatedBrokerTest {

    private static final KafkaSettings SETTINGS = KafkaSettings.DEFAULTS;

    /** Found by the simulation: a group of the classic protocol waits for a dead member until its session ends, and meanwhile its consumers may not commit. */
    @Test
    void aNodeThatStopsDuringARebalanceCommitsWhatItHasSettled() {
        for (int millis = 1_000; millis <= 5_000; millis += 1_000) {
            World world = new World(millis);
            world.broker.setConsumerProtocol(false);
            World.Node first = world.startNode("node-1");
            World.Node dead = world.startNode("node-2");
            world.simulation.run(Duration.ofSeconds(10));
            dead.process().kill();
            world.startNode("node-3");
            IntStream.range(0, 600)
                    .forEach(number -> world.simulation.after(
                            Duration.ofMillis(10L * number),
                            () -> world.broker.append(
                                    new TopicPartition(world.requests, number % 4), null, bytes("m" + number))));
            world.simulation.after(Duration.ofMillis(millis), first::stop);

            world.simulation.run(Duration.ofSeconds(60));

            assertThat(world.answers())
                    .as("stopped after %d ms", millis)
                    .hasSize(600)
                    .doesNotHaveDuplicates();
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static final class World {

        private record Node(SimulatedProcess process, KafkaTransport transport) {

            /** Reads no more, and closes when the open calls have ended. */
            void stop() {
                process.after(
                        Duration.ZERO,
                        () -> transport
                                .source()
                                .stopIntake()
                                .thenRun(() -> process.after(
                                        Duration.ofSeconds(1),
                                        () -> transport.source().close(Duration.ofSeconds(10)))));
            }
        }

        private final Simulation simulation;
        private final KafkaBroker broker;
        private final String requests = SETTINGS.requests().topics().get(0);

        World(long seed) {
            simulation = new Simulation(seed, Trace.hashOnly());
            broker = new KafkaBroker(simulation);
            broker.createTopic(requests, 4, Map.of());
            broker.createTopic(SETTINGS.answers().topic(), 2, Map.of());
            broker.createTopic(SETTINGS.deadLetters().topic(), 1, Map.of());
        }

        /** Starts a node that answers each request with its payload after 50 ms. */
        Node startNode(String name) {
            SimulatedProcess process = new SimulatedProcess(simulation, name);
            KafkaTransport transport =
                    new KafkaTransport(new KafkaConnections(SETTINGS, name, broker.clients(process), process));
            process.after(Duration.ZERO, () -> {
                transport.sink().start();
                transport.source().start(delivery -> {
                    process.after(Duration.ofMillis(50), () -> answer(transport, delivery));
                    return true;
                });
            });
            return new Node(process, transport);
        }

        private static void answer(KafkaTransport transport, Delivery delivery) {
            if (!delivery.claim()) {
                delivery.settlement().release();
                return;
            }
            transport.sink().publish(delivery, delivery.payload(), null, null).whenComplete((result, bug) -> {
                if (result instanceof PublishResult.Confirmed) {
                    delivery.settlement().acknowledge();
                } else {
                    delivery.settlement().release();
                }
            });
        }

        List<String> answers() {
            return new ArrayList<>(broker.values(SETTINGS.answers().topic()))
                    .stream()
                            .map(value -> new String(value, StandardCharsets.UTF_8))
                            .toList();
        }
    }
}
