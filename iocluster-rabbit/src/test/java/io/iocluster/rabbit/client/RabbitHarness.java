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
import io.iocluster.thread.Platform;
import io.iocluster.transport.Delivery;
import io.iocluster.transport.PublishResult;
import io.iocluster.transport.RequestSource;
import io.iocluster.transport.ResponseSink;
import io.iocluster.transport.SourceStatus.Lag;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** One transport and an intake on newly declared queues. Owned by one test. */
public final class RabbitHarness implements AutoCloseable {

    public static final Duration TIMEOUT = Duration.ofMinutes(1);

    private static final AtomicInteger HARNESSES = new AtomicInteger();

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
        this.transport = new RabbitTransport(settings, "node-1", Platform.system());
        declare();
    }

    /** Returns settings with unique queue names. */
    public static RabbitTestSettings fresh(RabbitBroker broker) {
        return RabbitTestSettings.of(broker.uri(), "t" + HARNESSES.incrementAndGet());
    }

    public void declare() {
        new Topology(settings)
                .entities().stream()
                        .filter(Topology.BrokerEntity::isQueue)
                        .forEach(entity -> broker.declareQueue(entity.name(), entity.arguments()));
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

    /** Publishes one request and returns its delivery. */
    public Delivery request(BasicProperties properties, String body) {
        int before = intake.accepted.size();
        publish(properties, body);
        return awaitDeliveries(before + 1).get(before);
    }

    /** Waits for this number of deliveries and returns all. */
    public List<Delivery> awaitDeliveries(int count) {
        await().atMost(TIMEOUT).until(() -> intake.accepted.size() >= count);
        return List.copyOf(intake.accepted);
    }

    public void awaitConnected() {
        await().atMost(TIMEOUT).until(() -> source().status().connected());
    }

    /** Returns the lag, or a stale one before the first report. */
    public Lag lag() {
        List<Lag> lags = source().status().lags();
        return lags.isEmpty() ? new Lag("unknown", null, -1, 0, true) : lags.get(0);
    }

    /** Returns the broker's number of unacknowledged messages of the request queue. */
    public long unacknowledged() {
        return column("messages_unacknowledged");
    }

    public long consumers() {
        return column("consumers");
    }

    private long column(String name) {
        return broker.queueNumber(settings.requests().queue(), name);
    }

    public List<GetResponse> answers() {
        return broker.peek(settings.answers().routingKey());
    }

    /** Returns the result. Waits longer than the confirm timeout, so that the result says what was not confirmed. */
    public static PublishResult get(CompletionStage<PublishResult> stage) {
        return stage.toCompletableFuture().orTimeout(2, TimeUnit.MINUTES).join();
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
