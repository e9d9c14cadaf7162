package io.iocluster.kafka.sink;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.iocluster.kafka.FailingPartitioner;
import io.iocluster.kafka.KafkaTestSettings;
import io.iocluster.kafka.KafkaTransport;
import io.iocluster.kafka.client.KafkaRequestPublisher;
import io.iocluster.kafka.config.KafkaConnections;
import io.iocluster.kafka.config.KafkaSettings;
import io.iocluster.kafka.config.KafkaSettings.Ordering;
import io.iocluster.kafka.config.KafkaTopicAdmin;
import io.iocluster.kafka.config.KafkaTopicAdmin.ResponseLimit;
import io.iocluster.kafka.ledger.TestRecords;
import io.iocluster.testkit.contract.RecordingIntake;
import io.iocluster.testkit.junit.SharedBrokers;
import io.iocluster.testkit.kafka.KafkaBroker;
import io.iocluster.testkit.record.RecordCopy;
import io.iocluster.transport.DeadLetterReason;
import io.iocluster.transport.Delivery;
import io.iocluster.transport.PublishResult;
import io.iocluster.transport.ResponseSink;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class KafkaSinkIT {

    private static final AtomicInteger TESTS = new AtomicInteger();
    private static KafkaBroker broker;

    private final KafkaSettings settings = KafkaTestSettings.of(
            broker.bootstrapServers(),
            "s" + TESTS.incrementAndGet(),
            Ordering.NONE,
            Map.of("partitioner.class", FailingPartitioner.class.getName()));
    private final KafkaTransport transport = new KafkaTransport(KafkaConnections.ofSystem(settings, "node-1"));
    private final KafkaRequestPublisher requests =
            new KafkaRequestPublisher(KafkaConnections.ofSystem(settings, "sender"));
    private final ResponseSink sink = transport.sink();
    private final RecordingIntake intake = new RecordingIntake(delivery -> {});

    @BeforeAll
    static void emptyBroker() {
        broker = SharedBrokers.emptyKafka();
    }

    @BeforeEach
    void startTransport() {
        sink.start();
        transport.source().start(intake);
        await().until(() -> transport.source().status().connected());
    }

    @AfterEach
    void closeTransport() {
        requests.close();
        transport.source().close(Duration.ofSeconds(5));
        sink.close();
    }

    @Test
    void failsOnlyTheAnswerThatCausesAnError() {
        Delivery request = request("{}", null, Map.of());
        // After the first answer, the posting thread passes answers to the producer itself.
        assertThat(get(sink.publish(request, TestRecords.bytes("first"), null))).isEqualTo(PublishResult.CONFIRMED);

        PublishResult result = get(sink.publish(request, FailingPartitioner.POISON, null));

        assertThat(result).isInstanceOf(PublishResult.Failed.class);
        assertThat(get(sink.publish(request, TestRecords.bytes("next"), null))).isEqualTo(PublishResult.CONFIRMED);
    }

    @Test
    void connectsBothProducersBeforeTheFirstAnswer() {
        ResponseSink later = new KafkaTransport(KafkaConnections.ofSystem(settings, "node-2")).sink();
        try {
            later.start();

            await().until(() -> connections("sink") > 0 && connections("sink-gathering") > 0);
        } finally {
            later.close();
        }
    }

    /** Returns the number of connections of a producer; 0 if it is not open. */
    private static double connections(String role) throws JMException {
        MBeanServer beans = ManagementFactory.getPlatformMBeanServer();
        ObjectName producer = new ObjectName("kafka.producer:type=producer-metrics,client-id=iocluster-node-2-" + role);
        return beans.isRegistered(producer) ? (double) beans.getAttribute(producer, "connection-count") : 0;
    }

    @Test
    void spreadsRequestsWithoutAKeyOverAllPartitions() {
        KafkaSettings spread = KafkaTestSettings.of(broker.bootstrapServers(), "spread", Ordering.NONE, Map.of());
        String topic = spread.requests().topics().get(0);
        broker.createTopic(topic, 4, Map.of());

        try (KafkaRequestPublisher publisher = new KafkaRequestPublisher(KafkaConnections.ofSystem(spread, "spread"))) {
            IntStream.range(0, 100)
                    .mapToObj(each -> publisher.send(TestRecords.bytes("{}"), null, Map.of()))
                    .toList()
                    .forEach(each -> assertThat(get(each)).isEqualTo(PublishResult.CONFIRMED));
        }

        assertThat(broker.readAll(topic).stream().collect(groupingBy(ConsumerRecord::partition, counting())))
                .isEqualTo(Map.of(0, 25L, 1, 25L, 2, 25L, 3, 25L));
    }

    @Test
    void copiesKeyAndHeadersToTheAnswer() {
        Delivery request = request("{}", "key-1", Map.of("traceparent", "00-abc"));

        PublishResult result = get(sink.publish(request, TestRecords.bytes("answer"), null));

        assertThat(result).isEqualTo(PublishResult.CONFIRMED);
        ConsumerRecord<byte[], byte[]> answer =
                broker.readAll(settings.answers().topic()).get(0);
        assertThat(answer.key()).isEqualTo(TestRecords.bytes("key-1"));
        assertThat(answer.value()).isEqualTo(TestRecords.bytes("answer"));
        assertThat(header(answer, "traceparent")).isEqualTo("00-abc");
    }

    @Test
    void keepsTheOriginalAndTheReasonInADeadLetter() {
        Delivery request = request("not json", "key-1", Map.of("traceparent", "00-abc", "iocluster-error", "earlier"));

        PublishResult result =
                get(sink.publishDeadLetter(request, new DeadLetterReason("malformed-envelope", "no JSON")));

        assertThat(result).isEqualTo(PublishResult.CONFIRMED);
        ConsumerRecord<byte[], byte[]> record =
                broker.readAll(settings.deadLetters().topic()).get(0);
        assertThat(record.value()).isEqualTo(TestRecords.bytes("not json"));
        assertThat(record.key()).isEqualTo(TestRecords.bytes("key-1"));
        assertThat(header(record, "traceparent")).isEqualTo("00-abc");
        assertThat(header(record, "iocluster-error-code")).isEqualTo("malformed-envelope");
        assertThat(record.headers().headers("iocluster-error")).hasSize(1);
        assertThat(header(record, "iocluster-error")).isEqualTo("no JSON");
        assertThat(header(record, "iocluster-node")).isEqualTo("node-1");
        assertThat(header(record, "iocluster-source")).isEqualTo(request.coordinates());
    }

    @Test
    void reportsATooLargeAnswerAndContinues() {
        Delivery request = request("{}", null, Map.of());

        PublishResult large = get(sink.publish(request, new byte[2 << 20], null));
        PublishResult small = get(sink.publish(request, new byte[10], null));

        assertThat(large).isInstanceOf(PublishResult.TooLarge.class);
        assertThat(small).isEqualTo(PublishResult.CONFIRMED);
    }

    @Test
    void truncatesThePayloadOfATooLargeDeadLetterAndAddsItsSizeAndHash() throws Exception {
        byte[] payload = new byte[1_048_200];
        Arrays.fill(payload, (byte) 'x');
        Delivery request = request(payload, TestRecords.bytes("key-1"), Map.of("tenant", TestRecords.bytes("blue")));

        PublishResult result =
                get(sink.publishDeadLetter(request, new DeadLetterReason("malformed-envelope", "no JSON")));

        assertThat(result).isInstanceOf(PublishResult.Confirmed.class);
        ConsumerRecord<byte[], byte[]> record =
                broker.readAll(settings.deadLetters().topic()).get(0);
        assertThat(record.value()).isEqualTo(Arrays.copyOf(payload, 16 << 10));
        assertThat(record.key()).isEqualTo(TestRecords.bytes("key-1"));
        assertThat(header(record, "iocluster-truncated")).isEqualTo("headers,payload");
        assertThat(header(record, "iocluster-payload-size")).isEqualTo("1048200");
        assertThat(header(record, "iocluster-payload-sha256"))
                .isEqualTo(HexFormat.of()
                        .formatHex(MessageDigest.getInstance("SHA-256").digest(payload)));
        assertThat(header(record, "iocluster-error-code")).isEqualTo("malformed-envelope");
        assertThat(header(record, "iocluster-source")).isEqualTo(request.coordinates());
    }

    @Test
    void keepsThePayloadOfADeadLetterThatFitsWithoutTheSendersHeaders() {
        byte[] header = new byte[1_048_200];
        Delivery request = request(TestRecords.bytes("not json"), TestRecords.bytes("key-1"), Map.of("large", header));

        PublishResult result =
                get(sink.publishDeadLetter(request, new DeadLetterReason("malformed-envelope", "no JSON")));

        assertThat(result).isInstanceOf(PublishResult.Confirmed.class);
        ConsumerRecord<byte[], byte[]> record =
                broker.readAll(settings.deadLetters().topic()).get(0);
        assertThat(record.value()).isEqualTo(TestRecords.bytes("not json"));
        assertThat(record.headers().lastHeader("large")).isNull();
        assertThat(header(record, "iocluster-truncated")).isEqualTo("headers");
    }

    @Test
    void publishesAnAnswerWithoutTheSendersHeadersWhenTheyDoNotFit() {
        Delivery request =
                request(TestRecords.bytes("{}"), TestRecords.bytes("key-1"), Map.of("large", new byte[1_048_200]));

        PublishResult result = get(sink.publish(request, new byte[1_000], null));

        assertThat(result).isInstanceOf(PublishResult.Confirmed.class);
        ConsumerRecord<byte[], byte[]> answer =
                broker.readAll(settings.answers().topic()).get(0);
        assertThat(answer.value()).hasSize(1_000);
        assertThat(answer.key()).isEqualTo(TestRecords.bytes("key-1"));
        assertThat(answer.headers().lastHeader("large")).isNull();
        assertThat(header(answer, "iocluster-truncated")).isEqualTo("headers");
    }

    @Test
    void publishesAnswersAndDeadLettersWithTheHashOfAKeyThatDoesNotFit() throws Exception {
        byte[] key = new byte[1_048_200];
        Delivery request = request(TestRecords.bytes("{}"), key, Map.of());

        PublishResult answered = get(sink.publish(request, new byte[1_000], null));
        PublishResult deadLetter = get(sink.publishDeadLetter(request, new DeadLetterReason("internal", "given up")));

        assertThat(answered).isInstanceOf(PublishResult.Confirmed.class);
        assertThat(deadLetter).isInstanceOf(PublishResult.Confirmed.class);
        byte[] hash = TestRecords.bytes("sha256:"
                + HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(key)));
        ConsumerRecord<byte[], byte[]> answer =
                broker.readAll(settings.answers().topic()).get(0);
        assertThat(answer.key()).isEqualTo(hash);
        assertThat(answer.value()).hasSize(1_000);
        ConsumerRecord<byte[], byte[]> record =
                broker.readAll(settings.deadLetters().topic()).get(0);
        assertThat(record.key()).isEqualTo(hash);
        assertThat(record.value()).isEqualTo(TestRecords.bytes("{}"));
    }

    @Test
    void removesReservedHeadersOfTheSender() {
        Delivery request = request("{}", null, Map.of("iocluster-error", "made up", "iocluster-due-at", "now"));

        get(sink.publish(request, new byte[10], null));

        assertThat(broker.readAll(settings.answers().topic()).get(0).headers().toArray())
                .isEmpty();
    }

    @Test
    void failsAnAnswerToAMissingTopicWithoutDelayingOthers() {
        Delivery request = request("{}", null, Map.of());
        String missing = settings.answers().topic().replace(".answers", ".reply-x");
        assertThat(sink.isReplyToAllowed(request, missing)).isTrue();

        CompletionStage<PublishResult> failed = sink.publish(request, new byte[10], missing);
        CompletionStage<PublishResult> good = sink.publish(request, new byte[10], null);

        assertThat(get(failed))
                .isInstanceOfSatisfying(
                        PublishResult.UnknownTopicOrQueue.class,
                        unknown -> assertThat(unknown.problem()).contains("does not exist"));
        assertThat(get(good)).isEqualTo(PublishResult.CONFIRMED);
    }

    /** A connection sends in order, so large answers use another one. */
    @Test
    void aSmallAnswerOvertakesLargeOnesToTheSameTopic() {
        Delivery request = request("{}", null, Map.of());
        assertThat(get(sink.publish(request, TestRecords.bytes("first"), null))).isEqualTo(PublishResult.CONFIRMED);
        AtomicInteger largeConfirmed = new AtomicInteger();
        List<CompletionStage<PublishResult>> large = new ArrayList<>();
        CompletionStage<Integer> before;
        // No answer is confirmed before all are published.
        broker.pause();
        try {
            for (int i = 0; i < 60; i++) {
                large.add(sink.publish(request, new byte[900_000], null)
                        .whenComplete((result, bug) -> largeConfirmed.incrementAndGet()));
            }
            before = sink.publish(request, TestRecords.bytes("small"), null).thenApply(result -> largeConfirmed.get());
        } finally {
            broker.unpause();
        }

        assertThat(before.toCompletableFuture().orTimeout(90, TimeUnit.SECONDS).join())
                .isLessThan(large.size() / 2);
        assertThat(large).allMatch(each -> get(each) == PublishResult.CONFIRMED);
    }

    @Test
    void failsAnswersThatArePublishedAfterClose() {
        Delivery request = request("{}", null, Map.of());
        sink.close();

        assertThat(get(sink.publish(request, new byte[10], null))).isInstanceOf(PublishResult.Failed.class);
    }

    @Test
    void failsAnUnconfirmedAnswerAfterTheTimeoutAndPublishesTheNext() {
        Delivery request = request("{}", null, Map.of());
        KafkaSettings impatient = RecordCopy.with(settings, "confirmTimeout", Duration.ofSeconds(10));
        ResponseSink other = new KafkaTransport(KafkaConnections.ofSystem(impatient, "node-2")).sink();
        other.start();
        try {
            assertThat(get(other.publish(request, new byte[10], null))).isEqualTo(PublishResult.CONFIRMED);
            broker.pause();
            try {
                assertThat(get(other.publish(request, new byte[10], null))).isInstanceOf(PublishResult.Failed.class);
            } finally {
                broker.unpause();
            }
            assertThat(get(other.publish(request, new byte[10], null))).isEqualTo(PublishResult.CONFIRMED);
        } finally {
            other.close();
        }
    }

    @Test
    void reportsMissingAndExistingTopics() {
        KafkaSettings other = KafkaTestSettings.of(broker.bootstrapServers(), "missing", Ordering.NONE, Map.of());

        assertThat(new KafkaTopicAdmin(KafkaConnections.ofSystem(settings, "check"))
                        .check(Duration.ofMinutes(1), ResponseLimit.NONE))
                .hasSize(3)
                .allMatch(report -> report.exists() && report.partitions() == 1 && report.problem() == null);
        assertThat(new KafkaTopicAdmin(KafkaConnections.ofSystem(other, "check"))
                        .check(Duration.ofMinutes(1), ResponseLimit.NONE))
                .hasSize(3)
                // A missing topic is not a problem, because the node creates it with these settings.
                .allMatch(report -> !report.exists() && report.problem() == null);
    }

    private Delivery request(String payload, String key, Map<String, String> headers) {
        Map<String, byte[]> bytes = new java.util.HashMap<>();
        headers.forEach((name, value) -> bytes.put(name, TestRecords.bytes(value)));
        return request(TestRecords.bytes(payload), key == null ? null : TestRecords.bytes(key), bytes);
    }

    private Delivery request(byte[] payload, byte[] key, Map<String, byte[]> headers) {
        int before = intake.accepted.size();
        assertThat(get(requests.send(payload, key, headers))).isEqualTo(PublishResult.CONFIRMED);
        await().until(() -> intake.accepted.size() > before);
        return intake.accepted.get(before);
    }

    private static PublishResult get(CompletionStage<PublishResult> stage) {
        return stage.toCompletableFuture().orTimeout(90, TimeUnit.SECONDS).join();
    }

    private static String header(ConsumerRecord<byte[], byte[]> message, String name) {
        return new String(message.headers().lastHeader(name).value(), StandardCharsets.UTF_8);
    }
}
