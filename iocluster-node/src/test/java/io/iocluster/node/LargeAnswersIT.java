package io.iocluster.node;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.iocluster.testkit.target.TargetServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests how many answers of 8 MiB overtake small calls whose answers go to the same topic. */
class LargeAnswersIT {

    private static final Duration LONG = Duration.ofMinutes(3);
    private static final int RECORD_BYTES = 32 << 20;
    /** The time of an answer is that of its arrival at the broker. */
    private static final Map<String, String> ANSWERS =
            Map.of("max.message.bytes", Integer.toString(RECORD_BYTES), "message.timestamp.type", "LogAppendTime");

    private static final int CALLS_OF_LARGE = 16;
    private static final int BYTES_OF_CALL = 512 << 10;
    private static final int EVERY_MILLIS = 20;
    /** The node starts cold: until then its JVM compiles. */
    private static final int WARM_UP_LARGE = 10;

    private static final int LARGE = 40;
    private static final long MAX_P99_OVERTAKING = LARGE / 4;

    private final KafkaNodeFixture fixture = new KafkaNodeFixture(1, ANSWERS);
    /** Another destination than that of the small calls. */
    private final TargetServer largeTarget = TargetServer.start();

    private final KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
            Map.of("bootstrap.servers", fixture.broker.bootstrapServers()),
            new ByteArraySerializer(),
            new ByteArraySerializer());
    private final KafkaConsumer<byte[], byte[]> receiver = receiver();
    private final ScheduledExecutorService sender = Executors.newSingleThreadScheduledExecutor();
    private final AtomicInteger smallSent = new AtomicInteger();
    private final AtomicInteger largeSent = new AtomicInteger();
    private final Map<String, Long> sentMillis = new ConcurrentHashMap<>();
    private final Map<String, Long> smallMillis = new HashMap<>();
    private final List<Long> largeMillis = new ArrayList<>();
    private NodeProcess node;

    @AfterEach
    void clear() {
        sender.shutdownNow();
        producer.close();
        receiver.close();
        largeTarget.close();
        fixture.close();
    }

    @Test
    void fewLargeAnswersOvertakeASmallOneToTheSameTopic() throws Exception {
        node = fixture.startNode(
                        "node-1",
                        List.of("-Xmx768m", "-Xmn160m"),
                        fixture.configure("node-1", "none", "http: {deadline: 2m}"))
                .awaitReady();
        sender.scheduleAtFixedRate(this::sendSmall, 0, EVERY_MILLIS, TimeUnit.MILLISECONDS);
        sendLarge(WARM_UP_LARGE);
        awaitLarge();
        int warmUp = smallSent.get();

        sendLarge(LARGE);
        awaitLarge();

        sender.shutdown();
        assertThat(sender.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
        awaitReceived(() -> smallMillis.size() == smallSent.get());
        List<Long> overtaking = smallMillis.keySet().stream()
                .filter(id -> Integer.parseInt(id) >= warmUp)
                .map(this::largeDuring)
                .sorted()
                .toList();
        assertThat(overtaking).hasSizeGreaterThan(50);
        assertThat(overtaking.get(overtaking.size() * 99 / 100))
                .as("p99 of %s", overtaking)
                .isLessThan(MAX_P99_OVERTAKING);
    }

    /** Returns how many large answers arrived during the small call. It does not depend on how fast the machine is. */
    private long largeDuring(String id) {
        long from = sentMillis.get(id);
        long until = smallMillis.get(id);
        return largeMillis.stream()
                .filter(millis -> millis > from && millis < until)
                .count();
    }

    private void sendSmall() {
        String id = Integer.toString(smallSent.getAndIncrement());
        sentMillis.put(id, System.currentTimeMillis());
        send(id, "\"url\":\"" + fixture.target.url("/ok") + "\"");
    }

    private void sendLarge(int count) {
        String call = "{\"url\":\"" + largeTarget.url("/body?bytes=" + BYTES_OF_CALL) + "\"}";
        for (int i = 0; i < count; i++) {
            send(
                    "large-" + largeSent.getAndIncrement(),
                    "\"all\":[" + String.join(",", Collections.nCopies(CALLS_OF_LARGE, call)) + "]");
        }
    }

    private void send(String id, String fields) {
        String envelope = "{\"id\":\"" + id + "\"," + fields + "}";
        producer.send(new ProducerRecord<>(KafkaNodeFixture.REQUESTS, id.getBytes(UTF_8), envelope.getBytes(UTF_8)));
    }

    private void awaitLarge() {
        awaitReceived(() -> largeMillis.size() == largeSent.get());
    }

    private void awaitReceived(BooleanSupplier condition) {
        await().atMost(LONG)
                .pollDelay(Duration.ZERO)
                .failFast("the node ended", () -> !node.isAlive())
                .until(() -> {
                    receive();
                    return condition.getAsBoolean();
                });
    }

    private void receive() {
        for (ConsumerRecord<byte[], byte[]> each : receiver.poll(Duration.ofMillis(100))) {
            String id = new String(each.key(), UTF_8);
            Long sent = sentMillis.get(id);
            if (sent == null) {
                assertThat(each.value().length).as(id).isGreaterThan(CALLS_OF_LARGE * BYTES_OF_CALL);
                largeMillis.add(each.timestamp());
            } else {
                smallMillis.put(id, each.timestamp());
            }
        }
    }

    private KafkaConsumer<byte[], byte[]> receiver() {
        KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(
                Map.of(
                        "bootstrap.servers",
                        fixture.broker.bootstrapServers(),
                        "max.partition.fetch.bytes",
                        RECORD_BYTES),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer());
        TopicPartition answers = new TopicPartition(KafkaNodeFixture.ANSWERS, 0);
        consumer.assign(List.of(answers));
        consumer.seekToBeginning(List.of(answers));
        return consumer;
    }
}
