package io.iocluster.kafka.delay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.iocluster.kafka.FetchCounter;
import io.iocluster.kafka.KafkaTestSettings;
import io.iocluster.kafka.config.ClientProperties;
import io.iocluster.kafka.config.KafkaSettings;
import io.iocluster.kafka.config.KafkaSettings.Ordering;
import io.iocluster.kafka.config.KafkaTopicAdmin;
import io.iocluster.kafka.ledger.TestRecords;
import io.iocluster.testkit.kafka.KafkaBroker;
import io.iocluster.transport.DeadLetterReason;
import io.iocluster.transport.PublishResult;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A forwarder on a real broker whose publisher is the test's. */
class DelayedRetryForwarderIT {

    private static final AtomicInteger TESTS = new AtomicInteger();
    private static final Duration DELAY = Duration.ofSeconds(1);
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final CompletableFuture<PublishResult> CONFIRMED =
            CompletableFuture.completedFuture(PublishResult.CONFIRMED);
    private static KafkaBroker broker;

    private final KafkaSettings settings = KafkaTestSettings.delaying(
            KafkaTestSettings.of(
                    broker.bootstrapServers(),
                    "f" + TESTS.incrementAndGet(),
                    Ordering.NONE,
                    Map.of("interceptor.classes", FetchCounter.class.getName())),
            DELAY);
    private final List<DelayedRetryForwarder> forwarders = new ArrayList<>();
    private final List<String> taken = new CopyOnWriteArrayList<>();
    private final List<String> buried = new CopyOnWriteArrayList<>();

    @BeforeAll
    static void startBroker() {
        broker = KafkaBroker.launch();
    }

    @AfterAll
    static void stopBroker() {
        broker.close();
    }

    @AfterEach
    void closeForwarders() {
        forwarders.forEach(DelayedRetryForwarder::close);
    }

    @Test
    void movesEachMessageOnceWhenItIsDueAndNoneAgainAfterARestart() {
        List<Long> early = new CopyOnWriteArrayList<>();
        List<String> put = put(0, 20);
        DelayedRetryForwarder first = forwarder(message -> {
            long putAt = Long.parseLong(new String(message.key(), StandardCharsets.UTF_8));
            early.add(putAt + DELAY.toMillis() - System.currentTimeMillis());
            return take(message);
        });
        await().atMost(PATIENCE).until(() -> taken.size() == 20);
        List<String> later = put(20, 25);
        await().atMost(PATIENCE).until(() -> taken.size() == 25);
        first.close();

        forwarder(this::take);
        List<String> last = put(25, 26);
        await().atMost(PATIENCE).until(() -> taken.containsAll(last));

        assertThat(taken.subList(0, 20)).isEqualTo(put);
        assertThat(taken.subList(20, 25)).isEqualTo(later);
        assertThat(taken).hasSize(26);
        assertThat(early).allSatisfy(millis -> assertThat(millis).isLessThanOrEqualTo(0));
    }

    @Test
    void fetchesEachMessageOnceAlthoughTheyAreDueOneAfterTheOther() {
        new KafkaTopicAdmin(settings, "node-1").createMissing("test");
        long start = System.currentTimeMillis();
        try (KafkaProducer<byte[], byte[]> producer = producer()) {
            for (int i = 0; i < 20; i++) {
                producer.send(new ProducerRecord<>(
                        settings.delayedTopics().delayTopic(DELAY),
                        null,
                        start + 200L * i,
                        null,
                        TestRecords.bytes("m-" + i)));
            }
        }
        FetchCounter.RECORDS.set(0);

        forwarder(this::take);

        await().atMost(PATIENCE).until(() -> taken.size() == 20);
        assertThat(FetchCounter.RECORDS).hasValue(20);
    }

    @Test
    void movesOnlyTheRefusedMessageAgain() {
        put(0, 10);
        List<String> refused = new CopyOnWriteArrayList<>();

        forwarder(message -> {
            if (text(message).equals("m-4") && refused.size() < 2) {
                refused.add(text(message));
                return CompletableFuture.completedFuture(new PublishResult.Failed("not now"));
            }
            return take(message);
        });

        await().atMost(PATIENCE).until(() -> taken.contains("m-4"));
        assertThat(taken).hasSize(10).doesNotHaveDuplicates();
    }

    @Test
    void turnsBackToWhatWasNotTakenAndLeavesOutNothing() {
        List<String> refused = new CopyOnWriteArrayList<>();
        List<String> put = put(0, 10);

        forwarder(message -> {
            String text = text(message);
            if (text.equals("m-4") && refused.size() < 2) {
                refused.add(text);
                return CompletableFuture.completedFuture(new PublishResult.Failed("not now"));
            }
            return take(message);
        });

        await().atMost(PATIENCE).until(() -> taken.containsAll(put));
        assertThat(refused).hasSize(2);
        assertThat(taken.stream().filter(put.subList(0, 4)::contains)).hasSize(4);
    }

    @Test
    void makesADeadLetterOfWhatIsTooLargeAndGoesOn() {
        List<String> put = put(0, 5);

        forwarder(message -> text(message).equals("m-2")
                ? CompletableFuture.completedFuture(new PublishResult.TooLarge("2 bytes, and due takes 1"))
                : take(message));

        await().atMost(PATIENCE).until(() -> taken.size() == 4);
        assertThat(buried).containsExactly("delayed-retry-too-large m-2");
        assertThat(taken).doesNotContain("m-2").isSubsetOf(put);
    }

    @Test
    void movesAgainWhatWasNotConfirmedWhenItEnded() {
        List<String> put = put(0, 5);
        List<String> unconfirmed = new CopyOnWriteArrayList<>();
        DelayedRetryForwarder first = forwarder(message -> {
            unconfirmed.add(text(message));
            return new CompletableFuture<>();
        });
        await().atMost(PATIENCE).until(() -> unconfirmed.containsAll(put));
        first.close();

        forwarder(this::take);

        await().atMost(PATIENCE).until(() -> taken.size() == 5);
        assertThat(taken).isEqualTo(put);
    }

    private CompletableFuture<PublishResult> take(ProducerRecord<byte[], byte[]> message) {
        assertThat(message.topic()).isEqualTo(settings.delayedTopics().dueTopic());
        taken.add(text(message));
        return CONFIRMED;
    }

    private CompletableFuture<PublishResult> bury(ConsumerRecord<byte[], byte[]> message, DeadLetterReason reason) {
        buried.add(reason.code() + " " + new String(message.value(), StandardCharsets.UTF_8));
        return CONFIRMED;
    }

    private DelayedRetryForwarder forwarder(
            Function<ProducerRecord<byte[], byte[]>, CompletableFuture<PublishResult>> publisher) {
        ClientProperties properties = new ClientProperties(settings, "node-1");
        DelayedRetryForwarder forwarder = new DelayedRetryForwarder(
                settings, properties, new KafkaTopicAdmin(settings, properties), publisher, this::bury);
        forwarders.add(forwarder);
        forwarder.start();
        return forwarder;
    }

    /** Puts messages off, in one partition; their keys say when. */
    private List<String> put(int from, int to) {
        new KafkaTopicAdmin(settings, "node-1").createMissing("test");
        List<String> texts =
                IntStream.range(from, to).mapToObj(number -> "m-" + number).toList();
        try (KafkaProducer<byte[], byte[]> producer = producer()) {
            for (String text : texts) {
                byte[] now = TestRecords.bytes(Long.toString(System.currentTimeMillis()));
                producer.send(
                        new ProducerRecord<>(settings.delayedTopics().delayTopic(DELAY), now, TestRecords.bytes(text)));
            }
        }
        return texts;
    }

    private static KafkaProducer<byte[], byte[]> producer() {
        return new KafkaProducer<>(
                Map.of("bootstrap.servers", broker.bootstrapServers()),
                new ByteArraySerializer(),
                new ByteArraySerializer());
    }

    private static String text(ProducerRecord<byte[], byte[]> message) {
        return new String(message.value(), StandardCharsets.UTF_8);
    }
}
