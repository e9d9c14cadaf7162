package io.iocluster.rabbit.client;

import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.GetResponse;
import io.iocluster.rabbit.RabbitTestSettings;
import io.iocluster.rabbit.RabbitTransport;
import io.iocluster.rabbit.config.RabbitSettings;
import io.iocluster.rabbit.connection.Topology;
import io.iocluster.testkit.contract.RecordingIntake;
import io.iocluster.testkit.rabbit.RabbitBroker;
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
public final class RabbitHarness implements AutoCloseable {

    public static final Duration SOON = Duration.ofSeconds(30);

    private static final AtomicInteger STAGES = new AtomicInteger();

    final RabbitBroker broker;
    public final RabbitSettings settings;
    final RabbitTransport transport;
    public final RecordingIntake intake = new RecordingIntake(delivery -> {});

    public RabbitHarness(RabbitBroker broker) {
        this(broker, fresh(broker).settings());
    }

    public RabbitHarness(RabbitBroker broker, RabbitSettings settings) {
        this.broker = broker;
        this.settings = settings;
        this.transport = new RabbitTransport(settings, "node-1");
        declare();
    }

    /** Settings with names that no other test has. */
    public static RabbitTestSettings fresh(RabbitBroker broker) {
        return RabbitTestSettings.of(broker.uri(), "t" + STAGES.incrementAndGet());
    }

    public void declare() {
        new Topology(settings)
                .entities().stream()
                        .filter(Topology.BrokerEntity::isQueue)
                        .forEach(place -> broker.declareQueue(place.name(), place.arguments()));
    }

    public RabbitHarness start() {
        transport.sink().start();
        transport.source().start(intake);
        return this;
    }

    public RequestSource source() {
        return transport.source();
    }

    public ResponseSink sink() {
        return transport.sink();
    }

    public void publish(int count) {
        List<byte[]> bodies = java.util.stream.IntStream.range(0, count)
                .mapToObj(i -> bytes("m-" + i))
                .toList();
        broker.publish(settings.requests().queue(), bodies);
    }

    public void publish(BasicProperties properties, String body) {
        broker.publish(settings.requests().queue(), properties, bytes(body));
    }

    /** One request as the source hands it over. */
    public Delivery request(BasicProperties properties, String body) {
        int before = intake.taken.size();
        publish(properties, body);
        return taken(before + 1).get(before);
    }

    public List<Delivery> taken(int count) {
        await().atMost(SOON).until(() -> intake.taken.size() >= count);
        return List.copyOf(intake.taken);
    }

    public void awaitConnected() {
        await().atMost(SOON).until(() -> source().status().connected());
    }

    /** How many messages the broker has handed out and nobody has acknowledged. */
    public long unacknowledged() {
        return column("messages_unacknowledged");
    }

    public long consumers() {
        return column("consumers");
    }

    private long column(String name) {
        String queue = settings.requests().queue();
        return broker.rabbitmqctl("-q", "list_queues", "name", name)
                .lines()
                .filter(line -> line.startsWith(queue + "\t"))
                .mapToLong(line ->
                        Long.parseLong(line.substring(queue.length() + 1).trim()))
                .sum();
    }

    public List<GetResponse> answers() {
        return broker.peek(settings.answers().routingKey());
    }

    public static PublishResult get(CompletionStage<PublishResult> stage) {
        return stage.toCompletableFuture().orTimeout(60, TimeUnit.SECONDS).join();
    }

    public static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    public static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        transport.source().close(Duration.ofSeconds(5));
        transport.sink().close();
    }
}
