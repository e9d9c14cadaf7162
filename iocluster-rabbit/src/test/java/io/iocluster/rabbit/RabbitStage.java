package io.iocluster.rabbit;

import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.GetResponse;
import io.iocluster.testkit.broker.RabbitBroker;
import io.iocluster.testkit.contract.TakingIntake;
import io.iocluster.transport.Delivery;
import io.iocluster.transport.PublishResult;
import io.iocluster.transport.RequestSource;
import io.iocluster.transport.ResponseSink;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** One transport and an intake on queues of their own, declared. Owned by one test. */
final class RabbitStage implements AutoCloseable {

    static final Duration SOON = Duration.ofSeconds(30);

    private static final AtomicInteger STAGES = new AtomicInteger();

    final RabbitBroker broker;
    final RabbitSettings settings;
    final RabbitTransport transport;
    final TakingIntake intake = new TakingIntake(delivery -> {});

    RabbitStage(RabbitBroker broker) {
        this(broker, fresh(broker).settings());
    }

    RabbitStage(RabbitBroker broker, RabbitSettings settings) {
        this.broker = broker;
        this.settings = settings;
        this.transport = new RabbitTransport(settings, "node-1");
        declare();
    }

    /** Settings with names that no other test has. */
    static TestSettings fresh(RabbitBroker broker) {
        return TestSettings.of(broker.uri(), "t" + STAGES.incrementAndGet());
    }

    void declare() {
        new Topology(settings)
                .places().stream()
                        .filter(Topology.Place::isQueue)
                        .forEach(place -> broker.declareQueue(place.name(), place.arguments()));
    }

    RabbitStage start() {
        transport.sink().start();
        transport.source().start(intake);
        return this;
    }

    RequestSource source() {
        return transport.source();
    }

    ResponseSink sink() {
        return transport.sink();
    }

    void publish(int count) {
        List<byte[]> bodies = java.util.stream.IntStream.range(0, count)
                .mapToObj(i -> bytes("m-" + i))
                .toList();
        broker.publish(settings.requests().queue(), bodies);
    }

    void publish(BasicProperties properties, String body) {
        broker.publish(settings.requests().queue(), properties, bytes(body));
    }

    /** One request as the source hands it over. */
    Delivery request(BasicProperties properties, String body) {
        int before = intake.taken.size();
        publish(properties, body);
        return taken(before + 1).get(before);
    }

    List<Delivery> taken(int count) {
        await().atMost(SOON).until(() -> intake.taken.size() >= count);
        return List.copyOf(intake.taken);
    }

    void awaitConnected() {
        await().atMost(SOON).until(() -> source().status().connected());
    }

    /** How many messages the broker has handed out and nobody has acknowledged. */
    long unacknowledged() {
        return column("messages_unacknowledged");
    }

    long consumers() {
        return column("consumers");
    }

    private long column(String name) {
        String queue = settings.requests().queue();
        return broker.control("-q", "list_queues", "name", name)
                .lines()
                .filter(line -> line.startsWith(queue + "\t"))
                .mapToLong(line ->
                        Long.parseLong(line.substring(queue.length() + 1).trim()))
                .sum();
    }

    List<GetResponse> answers() {
        return broker.read(settings.answers().routingKey());
    }

    static PublishResult get(CompletionStage<PublishResult> stage) {
        return stage.toCompletableFuture().orTimeout(60, TimeUnit.SECONDS).join();
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        transport.source().close(Duration.ofSeconds(5));
        transport.sink().close();
    }
}
