package io.iocluster.simulation.rabbit;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.AMQP.BasicProperties;
import io.iocluster.rabbit.RabbitTransport;
import io.iocluster.rabbit.config.RabbitSettings;
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
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The real transport of nodes on the simulated broker: a node publishes one answer for each request, and then acknowledges the request. */
class SimulatedRabbitTransportTest {

    private static final RabbitSettings SETTINGS = RabbitSettings.DEFAULTS;
    private static final String REQUESTS = SETTINGS.requests().queue();
    private static final String ANSWERS = SETTINGS.answers().routingKey();
    private static final int COUNT = 200;

    /** Some requests on the broker and nodes that answer them. */
    private static final class World {

        private final Simulation simulation;
        private final Trace trace = Trace.hashOnly();
        private final SimulatedRabbit broker;
        private final List<SimulatedProcess> processes = new ArrayList<>();
        private final List<RabbitTransport> transports = new ArrayList<>();
        private final Set<String> offered = new TreeSet<>();

        World(long seed, String queueType) {
            this.simulation = new Simulation(seed, trace);
            this.broker = new SimulatedRabbit(simulation, "4.1.0");
            broker.declareQueue(SETTINGS.deadLetters().queue(), Map.of("x-queue-type", queueType));
            broker.declareQueue(ANSWERS, Map.of("x-queue-type", queueType));
            broker.declareQueue(
                    REQUESTS,
                    Map.of(
                            "x-queue-type",
                            queueType,
                            "x-dead-letter-exchange",
                            "",
                            "x-dead-letter-routing-key",
                            SETTINGS.deadLetters().queue()));
        }

        void startNode() {
            SimulatedProcess process = new SimulatedProcess(simulation, "node-" + processes.size());
            RabbitTransport transport =
                    new RabbitTransport(SETTINGS, process.name(), broker.connections(process, "guest"), process);
            processes.add(process);
            transports.add(transport);
            process.after(Duration.ZERO, () -> {
                transport.sink().start();
                transport.source().prefetchHint(20, 20);
                transport.source().start(delivery -> answer(process, transport, delivery));
            });
        }

        private boolean answer(SimulatedProcess process, RabbitTransport transport, Delivery delivery) {
            offered.add(new String(delivery.payload(), StandardCharsets.UTF_8));
            process.after(
                    Duration.ofMillis(process.random().nextLong(200)),
                    () -> transport
                            .sink()
                            .publish(delivery, delivery.payload(), null, null)
                            .whenComplete((result, failure) -> {
                                if (result instanceof PublishResult.Confirmed) {
                                    delivery.settlement().acknowledge();
                                } else {
                                    delivery.settlement().release();
                                }
                            }));
            return true;
        }

        void send() {
            for (int i = 0; i < COUNT; i++) {
                BasicProperties properties = new BasicProperties.Builder()
                        .deliveryMode(2)
                        .correlationId("c-" + i)
                        .build();
                byte[] body = ("r-" + i).getBytes(StandardCharsets.UTF_8);
                long at = simulation.random().nextLong(Duration.ofSeconds(20).toMillis());
                simulation.after(Duration.ofMillis(at), () -> broker.publish("", REQUESTS, properties, body));
            }
        }

        Set<String> answers() {
            Set<String> bodies = new TreeSet<>();
            broker.ready(ANSWERS).forEach(body -> bodies.add(new String(body, StandardCharsets.UTF_8)));
            return bodies;
        }

        void assertAllAnswered(long seed) {
            assertThat(answers()).as("answers of seed %d", seed).hasSize(COUNT);
            assertThat(broker.ready(REQUESTS))
                    .as("requests left of seed %d", seed)
                    .isEmpty();
            assertThat(broker.unacknowledged(REQUESTS))
                    .as("unacknowledged of seed %d", seed)
                    .isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"classic", "quorum"})
    void answersEachRequestOnceWithoutAFault(String queueType) {
        World world = new World(1, queueType);
        world.startNode();
        world.send();

        world.simulation.run(Duration.ofMinutes(1));

        world.assertAllAnswered(1);
        assertThat(world.broker.ready(ANSWERS)).hasSize(COUNT);
        assertThat(world.transports.get(0).source().status().connected()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"classic", "quorum"})
    void losesNoRequestAlthoughConnectionsAreLost(String queueType) {
        for (long seed = 0; seed < 20; seed++) {
            World world = new World(seed, queueType);
            world.startNode();
            world.startNode();
            world.send();
            for (int i = 0; i < 10; i++) {
                SimulatedProcess victim = world.processes.get(i % 2);
                world.simulation.after(
                        Duration.ofMillis(world.simulation.random().nextLong(20_000)),
                        () -> world.broker.disconnect(victim));
            }

            world.simulation.run(Duration.ofMinutes(2));

            world.assertAllAnswered(seed);
        }
    }

    @Test
    void losesNoRequestWhenANodeIsKilled() {
        for (long seed = 0; seed < 10; seed++) {
            World world = new World(seed, "quorum");
            world.startNode();
            world.startNode();
            world.send();
            world.simulation.after(Duration.ofSeconds(10), () -> {
                world.processes.get(0).kill();
                world.broker.disconnect(world.processes.get(0));
            });

            world.simulation.run(Duration.ofMinutes(2));

            world.assertAllAnswered(seed);
        }
    }

    @Test
    void losesNoRequestWhenTheBrokerCrashes() {
        for (long seed = 0; seed < 10; seed++) {
            World world = new World(seed, "quorum");
            world.startNode();
            world.send();
            world.simulation.after(Duration.ofSeconds(8), world.broker::crash);
            world.simulation.after(Duration.ofSeconds(13), world.broker::start);

            world.simulation.run(Duration.ofMinutes(3));

            assertThat(world.answers()).as("seed %d", seed).isEqualTo(world.offered);
            assertThat(world.broker.unacknowledged(REQUESTS)).isZero();
        }
    }

    @Test
    void continuesWhenTheAnswerQueueHasALeaderAgain() {
        World world = new World(3, "quorum");
        world.startNode();
        world.send();
        world.simulation.after(Duration.ofSeconds(5), () -> world.broker.loseLeader(ANSWERS, false));
        world.simulation.after(Duration.ofSeconds(45), () -> world.broker.electLeader(ANSWERS));

        world.simulation.run(Duration.ofMinutes(4));

        world.assertAllAnswered(3);
    }

    @Test
    void continuesWhenAnAlarmHasEnded() {
        World world = new World(4, "classic");
        world.startNode();
        world.send();
        world.simulation.after(Duration.ofSeconds(5), () -> world.broker.setAlarm(true));
        world.simulation.after(Duration.ofSeconds(50), () -> world.broker.setAlarm(false));

        world.simulation.run(Duration.ofMinutes(4));

        world.assertAllAnswered(4);
    }

    @Test
    void readsTheRequestQueueAgainAfterItsDeletion() {
        World world = new World(5, "quorum");
        world.startNode();
        world.simulation.run(Duration.ofSeconds(5));
        world.broker.deleteQueue(REQUESTS);
        world.simulation.run(Duration.ofSeconds(30));
        assertThat(world.transports.get(0).source().status().problem()).contains(REQUESTS, "does not exist");

        world.broker.declareQueue(REQUESTS, Map.of());
        world.send();
        world.simulation.run(Duration.ofMinutes(1));

        world.assertAllAnswered(5);
    }

    @Test
    void closesItsConnections() {
        World world = new World(6, "quorum");
        world.startNode();
        world.send();
        world.simulation.run(Duration.ofSeconds(10));
        assertThat(world.broker.connections()).isEqualTo(2);

        world.processes.get(0).after(Duration.ZERO, () -> {
            world.transports.get(0).source().close(Duration.ofSeconds(5));
            world.transports.get(0).sink().close();
        });
        world.simulation.run(Duration.ofMinutes(1));

        assertThat(world.broker.connections()).isZero();
        assertThat(world.broker.unacknowledged(REQUESTS)).isZero();
    }

    @Test
    void repeatsARunFromItsSeed() {
        assertThat(hash(11)).isEqualTo(hash(11)).isNotEqualTo(hash(12));
    }

    private static long hash(long seed) {
        World world = new World(seed, "quorum");
        world.startNode();
        world.send();
        world.simulation.after(Duration.ofSeconds(3), () -> world.broker.disconnect(world.processes.get(0)));
        world.simulation.run(Duration.ofSeconds(30));
        return world.trace.hash();
    }
}
