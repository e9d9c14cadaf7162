package io.iocluster.kafka.client;

import io.iocluster.kafka.KafkaTestSettings;
import io.iocluster.kafka.KafkaTransport;
import io.iocluster.kafka.config.KafkaConnections;
import io.iocluster.kafka.config.KafkaSettings;
import io.iocluster.kafka.config.KafkaSettings.Ordering;
import io.iocluster.kafka.ledger.TestRecords;
import io.iocluster.testkit.contract.BrokerMessage;
import io.iocluster.testkit.contract.TransportFixture;
import io.iocluster.testkit.kafka.KafkaBroker;
import io.iocluster.transport.Transport;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Topics and a consumer group for one test, on a broker that is shared by the tests of a class. Owned by one test. */
final class KafkaTransportFixture implements TransportFixture {

    /** Of the requests. */
    private static final int PARTITIONS = 2;

    private static final int MAX_ANSWER_BYTES = 20_000;

    private final KafkaBroker broker;
    private final KafkaSettings settings;
    private final String replyTo;
    private final Admin admin;
    private final KafkaProducer<byte[], byte[]> producer;
    private int nodes;
    private boolean stopped;

    /** Returns a fixture whose transports form a consumer group. */
    static KafkaTransportFixture ofGroup(KafkaBroker broker, String name) {
        return new KafkaTransportFixture(
                broker, name, KafkaTestSettings.of(broker.bootstrapServers(), name, Ordering.NONE, Map.of()));
    }

    /** Returns a fixture whose transports form a share group. */
    static KafkaTransportFixture ofShareGroup(KafkaBroker broker, String name) {
        KafkaSettings settings = KafkaTestSettings.of(broker.bootstrapServers(), name, Ordering.NONE, Map.of());
        // A consumer with open messages reads no others, so each partition needs two.
        return new KafkaTransportFixture(broker, name, KafkaTestSettings.withShareGroup(settings, 2 * PARTITIONS));
    }

    private KafkaTransportFixture(KafkaBroker broker, String name, KafkaSettings settings) {
        this.broker = broker;
        this.settings = settings;
        this.replyTo = name + ".reply-1";
        this.admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrapServers()));
        this.producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", broker.bootstrapServers(), "linger.ms", 0),
                new ByteArraySerializer(),
                new ByteArraySerializer());
        Map<String, String> limited = Map.of("max.message.bytes", Integer.toString(MAX_ANSWER_BYTES));
        broker.createTopic(settings.requests().topics().get(0), PARTITIONS, Map.of());
        broker.createTopic(settings.answers().topic(), 1, limited);
        broker.createTopic(settings.deadLetters().topic(), 1, Map.of());
        broker.createTopic(replyTo, 1, Map.of());
    }

    @Override
    public Transport newTransport() {
        return new KafkaTransport(KafkaConnections.ofSystem(settings, "node-" + ++nodes));
    }

    @Override
    public Transport newTransport(Duration delay) {
        return new KafkaTransport(
                KafkaConnections.ofSystem(KafkaTestSettings.withDelayedRetries(settings, delay), "node-" + ++nodes));
    }

    @Override
    public void send(byte[] payload, String correlation, Map<String, String> headers) {
        byte[] key = correlation == null ? null : TestRecords.bytes(correlation);
        ProducerRecord<byte[], byte[]> message =
                new ProducerRecord<>(settings.requests().topics().get(0), key, payload);
        headers.forEach((header, value) -> message.headers().add(header, TestRecords.bytes(value)));
        await(producer.send(message));
    }

    @Override
    public List<BrokerMessage> answers() {
        return answersIn(settings.answers().topic());
    }

    @Override
    public List<BrokerMessage> answersIn(String topic) {
        return broker.readAll(topic).stream()
                .map(KafkaTransportFixture::received)
                .toList();
    }

    @Override
    public List<BrokerMessage> deadLetters() {
        return answersIn(settings.deadLetters().topic());
    }

    private static BrokerMessage received(ConsumerRecord<byte[], byte[]> message) {
        Map<String, String> headers = new HashMap<>();
        message.headers().forEach(header -> headers.put(header.key(), text(header.value())));
        return new BrokerMessage(message.value(), message.key() == null ? null : text(message.key()), headers);
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    @Override
    public String allowedReplyTo() {
        return replyTo;
    }

    @Override
    public String missingReplyTo() {
        return replyTo + "-missing";
    }

    @Override
    public String forbiddenReplyTo() {
        return settings.requests().topics().get(0);
    }

    @Override
    public int oversizedAnswerBytes() {
        return MAX_ANSWER_BYTES + 1;
    }

    @Override
    public boolean canStopBroker() {
        return true;
    }

    @Override
    public void killBroker() {
        broker.kill();
        stopped = true;
    }

    @Override
    public void restartBroker() {
        broker.start();
        stopped = false;
    }

    /** Closes the clients. Keeps the topics until the broker stops, because deleting them costs more than it frees. */
    @Override
    public void close() {
        producer.close(Duration.ofSeconds(1));
        admin.close(Duration.ofSeconds(1));
        if (stopped) {
            restartBroker();
        }
    }

    private static <T> void await(Future<T> future) {
        try {
            future.get(60, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        } catch (ExecutionException | TimeoutException e) {
            throw new IllegalStateException(e);
        }
    }
}
