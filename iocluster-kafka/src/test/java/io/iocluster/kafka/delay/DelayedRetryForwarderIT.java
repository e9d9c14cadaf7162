package io.iocluster.kafka.delay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.iocluster.kafka.FetchCounter;
import io.iocluster.kafka.KafkaTestSettings;
import io.iocluster.kafka.config.KafkaConnections;
import io.iocluster.kafka.config.KafkaSettings;
import io.iocluster.kafka.config.KafkaSettings.Ordering;
import io.iocluster.kafka.config.KafkaTopicAdmin;
import io.iocluster.kafka.ledger.TestRecords;
import io.iocluster.testkit.junit.SharedBrokers;
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
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Tests a forwarder on a real broker, with a publisher that the test controls. */
class DelayedRetryForwarderIT {

    private static final AtomicInteger TESTS = new AtomicInteger();
    private static final Duration DELAY = Duration.ofSeconds(1);
    private static final Duration TIMEOUT = Duration.ofMinutes(1);
    private static final CompletableFuture<PublishResult> CONFIRMED =
            CompletableFuture.completedFuture(PublishResult.CONFIRMED);
    private static KafkaBroker broker;

    private final KafkaSettings settings = KafkaTestSettings.withDelayedRetries(
            KafkaTestSettings.of(
                    broker.bootstrapServers(),
                    "f" + TESTS.incrementAndGet(),
                    Ordering.NONE,
                    Map.of("interceptor.classes", FetchCounter.class.getName())),
            DELAY);
    private final List<DelayedRetryForwarder> forwarders = new ArrayList<>();
    private final List<String> published = new CopyOnWriteArrayList<>();
    private final List<String> deadLetters = new CopyOnWriteArrayList<>();

    @BeforeAll
    static void emptyBroker() {
        broker = SharedBrokers.emptyKafka();
    }

    @AfterEach
    void closeForwarders() {
        forwarders.forEach(forwarder -> forwarder.close(Duration.ofSeconds(5)));
    }

    @Test
    void movesEachMessageOnceWhenItIsDueAndNotAgainAfterARestart() {
        List<Long> millisTooEarly = new CopyOnWriteArrayList<>();
        List<String> early = send(0, 20);
        DelayedRetryForwarder first = forwarder(message -> {
            long sentAt = Long.parseLong(new String(message.key(), StandardCharsets.UTF_8));
            millisTooEarly.add(sentAt + DELAY.toMillis() - System.currentTimeMillis());
            return confirm(message);
        });
        await().atMost(TIMEOUT).until(() -> published.size() == 20);
        List<String> later = send(20, 25);
        await().atMost(TIMEOUT).until(() -> published.size() == 25);
        first.close(TIMEOUT);

        forwarder(this::confirm);
        List<String> last = send(25, 26);
        await().atMost(TIMEOUT).until(() -> published.containsAll(last));

        assertThat(published.subList(0, 20)).isEqualTo(early);
        assertThat(published.subList(20, 25)).isEqualTo(later);
        assertThat(published).hasSize(26);
        assertThat(millisTooEarly).allSatisfy(millis -> assertThat(millis).isLessThanOrEqualTo(0));
    }

    @Test
    void fetchesEachMessageOnceIfMessagesBecomeDueOneAfterTheOther() {
        new KafkaTopicAdmin(KafkaConnections.ofSystem(settings, "node-1")).createMissing("test");
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

        forwarder(this::confirm);

        await().atMost(TIMEOUT).until(() -> published.size() == 20);
        assertThat(FetchCounter.RECORDS).hasValue(20);
    }

    @Test
    void retriesOnlyTheFailedMessage() {
        send(0, 10);
        List<String> failed = new CopyOnWriteArrayList<>();

        forwarder(message -> {
            // Fails until all others are published, because some may be due later.
            if (text(message).equals("m-4") && (failed.size() < 2 || published.size() < 9)) {
                failed.add(text(message));
                return CompletableFuture.completedFuture(new PublishResult.Failed("not now"));
            }
            return confirm(message);
        });

        await().atMost(TIMEOUT).until(() -> published.contains("m-4"));
        assertThat(published).hasSize(10).doesNotHaveDuplicates();
    }

    @Test
    void retriesAFailedMessageWithoutSkippingOthers() {
        List<String> failed = new CopyOnWriteArrayList<>();
        List<String> sent = send(0, 10);

        forwarder(message -> {
            String text = text(message);
            if (text.equals("m-4") && failed.size() < 2) {
                failed.add(text);
                return CompletableFuture.completedFuture(new PublishResult.Failed("not now"));
            }
            return confirm(message);
        });

        await().atMost(TIMEOUT).until(() -> published.containsAll(sent));

        assertThat(failed).hasSize(2);
        assertThat(published.stream().filter(sent.subList(0, 4)::contains)).hasSize(4);
    }

    @Test
    void publishesATooLargeMessageAsADeadLetterAndContinues() {
        List<String> sent = send(0, 5);

        forwarder(message -> text(message).equals("m-2")
                ? CompletableFuture.completedFuture(new PublishResult.TooLarge("2 bytes, and due accepts at most 1"))
                : confirm(message));

        await().atMost(TIMEOUT).until(() -> published.size() == 4);
        assertThat(deadLetters).containsExactly("delayed-retry-too-large m-2");
        assertThat(published).doesNotContain("m-2").isSubsetOf(sent);
    }

    @Test
    void movesUnconfirmedMessagesAgainAfterARestart() {
        List<String> sent = send(0, 5);
        List<String> unconfirmed = new CopyOnWriteArrayList<>();
        DelayedRetryForwarder first = forwarder(message -> {
            unconfirmed.add(text(message));
            return new CompletableFuture<>();
        });
        await().atMost(TIMEOUT).until(() -> unconfirmed.containsAll(sent));
        first.close(Duration.ZERO);

        forwarder(this::confirm);

        await().atMost(TIMEOUT).until(() -> published.size() == 5);
        assertThat(published).isEqualTo(sent);
    }

    @Test
    void waitsForConfirmationsWhenItIsClosedSoThatTheNextOneMovesNoMessageAgain() throws Exception {
        send(0, 5);
        CompletableFuture<PublishResult> confirmation = new CompletableFuture<>();
        DelayedRetryForwarder first = forwarder(message -> {
            published.add(text(message));
            return confirmation;
        });
        await().atMost(TIMEOUT).until(() -> published.size() == 5);
        Thread closing = new Thread(() -> first.close(TIMEOUT));
        closing.start();
        await().atMost(TIMEOUT).until(() -> closing.getState() == Thread.State.TIMED_WAITING);

        confirmation.complete(PublishResult.CONFIRMED);
        closing.join();
        forwarder(this::confirm);
        List<String> last = send(5, 6);

        await().atMost(TIMEOUT).until(() -> published.containsAll(last));
        assertThat(published).hasSize(6);
    }

    private CompletableFuture<PublishResult> confirm(ProducerRecord<byte[], byte[]> message) {
        assertThat(message.topic()).isEqualTo(settings.delayedTopics().dueTopic());
        published.add(text(message));
        return CONFIRMED;
    }

    private CompletableFuture<PublishResult> deadLetter(
            ConsumerRecord<byte[], byte[]> message, DeadLetterReason reason) {
        deadLetters.add(reason.code() + " " + new String(message.value(), StandardCharsets.UTF_8));
        return CONFIRMED;
    }

    private DelayedRetryForwarder forwarder(
            Function<ProducerRecord<byte[], byte[]>, CompletableFuture<PublishResult>> publisher) {
        KafkaConnections connections = KafkaConnections.ofSystem(settings, "node-1");
        DelayedRetryForwarder forwarder =
                new DelayedRetryForwarder(connections, new KafkaTopicAdmin(connections), publisher, this::deadLetter);
        forwarders.add(forwarder);
        forwarder.start();
        return forwarder;
    }

    /**
     * Sends messages to one partition of the delay topic; the key of each is its time of sending in epoch milliseconds.
     */
    private List<String> send(int from, int to) {
        new KafkaTopicAdmin(KafkaConnections.ofSystem(settings, "node-1")).createMissing("test");
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
