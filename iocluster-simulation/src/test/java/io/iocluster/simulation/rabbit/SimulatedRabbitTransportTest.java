package io.iocluster.simulation.rabbit;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.AMQP.BasicProperties;
import io.iocluster.rabbit.RabbitTransport;
import io.iocluster.rabbit.config.RabbitSettings;
import io.iocluster.testkit.record.RecordCopy;
import io.iocluster.testkit.simulation.SimulatedProcess;
import io.iocluster.testkit.simulation.Simulation;
import io.iocluster.testkit.simulation.Trace;
import io.iocluster.transport.Delivery;
import io.iocluster.transport.PublishResult;
import io.iocluster.transport.ResponseSink;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** The real transport of nodes on the simulated broker: a node publishes one answer for each request, and then acknowledges the request. */
class SimulatedRabbitTransportTest {

    /** Longer than the time after which a queue that confirms nothing is isolated. */
    private static final Duration CONFIRM_TIMEOUT = Duration.ofMinutes(1);

    private static final RabbitSettings SETTINGS =
            RecordCopy.with(RabbitSettings.DEFAULTS, "confirmTimeout", CONFIRM_TIMEOUT);
    private static final String REQUESTS = SETTINGS.requests().queue();
    private static final String ANSWERS = SETTINGS.answers().routingKey();
    private static final int COUNT = 200;
    private static final Map<String, Object> QUORUM = Map.of("x-queue-type", "quorum");

    /** What a node does with a request. Returns whether it takes the request. */
    private interface Answering {
        boolean answer(SimulatedProcess process, RabbitTransport transport, Delivery delivery);
    }

    /** Some requests on the broker and nodes that answer them. */
    private static final class World {

        private final Simulation simulation;
        private final SimulatedRabbit broker;
        private final List<SimulatedProcess> processes = new ArrayList<>();
        private final List<RabbitTransport> transports = new ArrayList<>();
        private final CompletableFuture<Delivery> open = new CompletableFuture<>();

        World(long seed) {
            this.simulation = new Simulation(seed, Trace.hashOnly());
            this.broker = new SimulatedRabbit(simulation, "4.1.0");
            broker.declareQueue(SETTINGS.deadLetters().queue(), QUORUM);
            broker.declareQueue(ANSWERS, QUORUM);
            broker.declareQueue(
                    REQUESTS,
                    Map.of(
                            "x-queue-type",
                            "quorum",
                            "x-dead-letter-exchange",
                            "",
                            "x-dead-letter-routing-key",
                            SETTINGS.deadLetters().queue()));
        }

        void startNode() {
            startNode(this::answer);
        }

        /** Starts a node that reads one request and keeps it open. */
        void startReader() {
            startNode((process, transport, delivery) -> open.complete(delivery));
            broker.publish("", REQUESTS, RabbitWorld.PERSISTENT, RabbitWorld.bytes("r"));
        }

        /** Publishes answers to the open request on its node as soon as the simulation runs. */
        List<CompletionStage<PublishResult>> publishAnswers(int count, String replyTo) {
            List<CompletionStage<PublishResult>> results = new ArrayList<>();
            processes.get(0).after(Duration.ZERO, () -> {
                for (int i = 0; i < count; i++) {
                    results.add(transports.get(0).sink().publish(open.join(), RabbitWorld.bytes("answer"), replyTo));
                }
            });
            return results;
        }

        private void startNode(Answering answering) {
            SimulatedProcess process = new SimulatedProcess(simulation, "node-" + processes.size());
            RabbitTransport transport =
                    new RabbitTransport(SETTINGS, process.name(), broker.connections(process, "guest"), process);
            processes.add(process);
            transports.add(transport);
            process.after(Duration.ZERO, () -> {
                transport.sink().start();
                transport.source().prefetchHint(20, 20);
                transport.source().start(delivery -> answering.answer(process, transport, delivery));
            });
        }

        private boolean answer(SimulatedProcess process, RabbitTransport transport, Delivery delivery) {
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

        void assertAllAnswered() {
            assertThat(answers()).hasSize(COUNT);
            assertThat(broker.ready(REQUESTS)).isEmpty();
            assertThat(broker.unacknowledged(REQUESTS)).isZero();
        }
    }

    @Test
    void aReplyQueueWithoutALeaderDelaysNoOtherAndReturnsToThem() {
        World world = new World(7);
        world.broker.declareQueue("leaderless", QUORUM);
        world.startReader();
        world.simulation.run(Duration.ofSeconds(5));
        ResponseSink sink = world.transports.get(0).sink();
        // A channel that has never published to the queue would refuse the answers instead.
        List<CompletionStage<PublishResult>> before = world.publishAnswers(1, "leaderless");
        world.simulation.run(Duration.ofSeconds(5));
        assertThat(before).allMatch(SimulatedRabbitTransportTest::isConfirmed);
        world.broker.loseLeader("leaderless", false);

        List<CompletionStage<PublishResult>> unconfirmed = world.publishAnswers(600, "leaderless");
        List<CompletionStage<PublishResult>> others = world.publishAnswers(3_000, null);
        for (int second = 0; second < 40; second++) {
            world.publishAnswers(1, null);
            world.simulation.run(Duration.ofSeconds(1));
        }
        assertThat(others).hasSize(3_000).allMatch(SimulatedRabbitTransportTest::isConfirmed);
        assertThat(unconfirmed).hasSize(600).noneMatch(SimulatedRabbitTransportTest::isConfirmed);
        assertThat(sink.isolatedQueues()).isEqualTo(1);

        // The node publishes answers again that were not confirmed in time. Together they must not block the
        // connection.
        world.simulation.run(CONFIRM_TIMEOUT);
        assertThat(unconfirmed).allMatch(each -> each.toCompletableFuture().isDone());
        List<CompletionStage<PublishResult>> again = world.publishAnswers(600, "leaderless");
        List<CompletionStage<PublishResult>> last = world.publishAnswers(3_000, null);
        world.simulation.run(CONFIRM_TIMEOUT.minusSeconds(1));
        assertThat(last).hasSize(3_000).allMatch(SimulatedRabbitTransportTest::isConfirmed);

        world.broker.electLeader("leaderless");
        world.simulation.run(Duration.ofMinutes(2));
        assertThat(again)
                .hasSize(600)
                .allMatch(each -> each.toCompletableFuture().isDone());
        assertThat(sink.isolatedQueues()).isZero();
        List<CompletionStage<PublishResult>> back = world.publishAnswers(1, "leaderless");
        world.simulation.run(Duration.ofSeconds(5));
        assertThat(back).hasSize(1).allMatch(SimulatedRabbitTransportTest::isConfirmed);
    }

    private static boolean isConfirmed(CompletionStage<PublishResult> result) {
        return result.toCompletableFuture().getNow(null) instanceof PublishResult.Confirmed;
    }

    @Test
    void readsTheRequestQueueAgainAfterItsDeletion() {
        World world = new World(5);
        world.startNode();
        world.simulation.run(Duration.ofSeconds(5));
        world.broker.deleteQueue(REQUESTS);
        world.simulation.run(Duration.ofSeconds(30));
        assertThat(world.transports.get(0).source().status().problem()).contains(REQUESTS, "does not exist");

        world.broker.declareQueue(REQUESTS, Map.of());
        world.send();
        world.simulation.run(Duration.ofMinutes(1));

        world.assertAllAnswered();
    }

    @Test
    void closesItsConnections() {
        World world = new World(6);
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
}
