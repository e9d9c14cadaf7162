package io.iocluster.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.message.Answer;
import io.iocluster.message.AnswerDecoder;
import io.iocluster.message.Outcome;
import io.iocluster.message.SentStatus;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests that an invalid request ends once, with an answer or a dead letter, and that no target is called. */
class InvalidRequestsIT {

    private static final int LARGEST_ANSWER = 50_000;

    private static KafkaNodeFixture fixture;
    private static KafkaProducer<byte[], byte[]> producer;
    private static RunningNode node;

    @BeforeAll
    static void startFixture() {
        fixture = new KafkaNodeFixture(1, Map.of("max.message.bytes", Integer.toString(LARGEST_ANSWER)));
        Map<String, Object> client = Map.of("bootstrap.servers", fixture.broker.bootstrapServers());
        producer = new KafkaProducer<>(client, new ByteArraySerializer(), new ByteArraySerializer());
        node = fixture.startInProcess("node-1", "none", ColdNode.LONG_TIMEOUTS).awaitReady();
    }

    @AfterAll
    static void clear() {
        assertThat(node.terminate(Duration.ofMinutes(2))).as(node.log()).isZero();
        producer.close();
        fixture.close();
    }

    @BeforeEach
    void forgetCalls() {
        fixture.target.requestLog().reset();
    }

    @Test
    void publishesInvalidBytesAsADeadLetter() throws Exception {
        byte[] noText = {(byte) 0xff, 0, '{', (byte) 0xc3, 7};

        RecordMetadata sent = send("order-7", noText, Map.of("tenant", "blue"));
        fixture.awaitCommitted(sent);

        ConsumerRecord<byte[], byte[]> letter = only(KafkaNodeFixture.DEAD_LETTERS, "order-7");
        assertThat(letter.value()).isEqualTo(noText);
        assertThat(header(letter, "tenant")).isEqualTo("blue");
        assertThat(header(letter, "iocluster-error-code")).isEqualTo("malformed-envelope");
        assertThat(header(letter, "iocluster-error")).isNotBlank();
        assertThat(header(letter, "iocluster-source"))
                .contains(KafkaNodeFixture.REQUESTS)
                .contains(Long.toString(sent.offset()));
        assertThat(header(letter, "iocluster-node")).isEqualTo("node-1");
        assertThat(Instant.parse(header(letter, "iocluster-failed-at"))).isBefore(Instant.now());
        assertThat(withKey(KafkaNodeFixture.ANSWERS, "order-7")).isEmpty();
        assertThat(fixture.target.requestLog().requests()).isZero();
    }

    @Test
    void rejectsEachInvalidRequestOnceWithItsErrorCode() throws Exception {
        Map<String, String> fieldsByCode = new TreeMap<>();
        fieldsByCode.put("invalid-url", "'url': '/relative'");
        fieldsByCode.put("invalid-method", "'method': 'BREW', 'url': 'OK'");
        fieldsByCode.put("invalid-header", "'headers': {'X Y': '1'}, 'url': 'OK'");
        fieldsByCode.put("forbidden-header", "'headers': {'Host': 'other.example'}, 'url': 'OK'");
        fieldsByCode.put("invalid-timeout", "'timeoutMs': 0, 'url': 'OK'");
        fieldsByCode.put("unknown-field", "'timeoutMS': 100, 'url': 'OK'");
        fieldsByCode.put("invalid-envelope", "'retry': 3, 'url': 'OK'");
        fieldsByCode.put("invalid-body", "'body': 'a', 'bodyBase64': 'YQ==', 'url': 'OK'");
        fieldsByCode.put("scheme-not-allowed", "'url': 'ftp://127.0.0.1/'");
        fieldsByCode.put("address-not-allowed", "'url': 'http://10.0.0.1/'");
        fieldsByCode.put("unknown-credential", "'auth': 'partner', 'url': 'OK'");
        fieldsByCode.put("reply-to-not-allowed", "'replyTo': 'requests', 'url': 'OK'");

        RecordMetadata last = null;
        for (Map.Entry<String, String> invalid : fieldsByCode.entrySet()) {
            last = send(invalid.getKey(), envelope(invalid.getKey(), invalid.getValue()), Map.of());
        }
        fixture.awaitCommitted(last);

        Map<String, Answer> answers = answers();
        assertThat(answers).containsKeys(fieldsByCode.keySet().toArray(String[]::new));
        for (String code : fieldsByCode.keySet()) {
            Answer answer = answers.get(code);
            assertThat(answer.outcome()).as(code).isEqualTo(Outcome.REJECTED);
            assertThat(answer.error().code()).isEqualTo(code);
            assertThat(answer.error().sent()).as(code).isEqualTo(SentStatus.NO);
            assertThat(answer.attempts()).as(code).isZero();
        }
        assertThat(fixture.target.requestLog().requests()).isZero();

        node.close();
        node = fixture.startInProcess("node-1", "none", ColdNode.LONG_TIMEOUTS).awaitReady();
        fixture.awaitCommitted(send("after", envelope("after", "'url': 'OK'"), Map.of()));

        assertThat(answers().get("after").outcome()).isEqualTo(Outcome.ANSWERED);
        assertThat(fixture.target.requestLog().counts()).as(node.log()).isEqualTo(Map.of("after", 1));
    }

    /** Its caller does not control what agents and libraries add to a message. */
    @Test
    void makesTheCallOfAMessageWithAnInvalidTraceContextOrTimestamp() throws Exception {
        String parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
        sendTraced("binary", new byte[] {0, (byte) 0xff, '-', 7}, null);
        sendTraced("line-break", (parent + "\r\nX-Evil: 1").getBytes(StandardCharsets.UTF_8), null);
        sendTraced("long-state", parent.getBytes(StandardCharsets.UTF_8), "a=" + "b".repeat(9_000));
        byte[] late = envelope("seconds", "'deadlineMs': 60000, 'url': 'OK'");
        long seconds = System.currentTimeMillis() / 1_000;
        fixture.awaitCommitted(
                producer.send(new ProducerRecord<>(KafkaNodeFixture.REQUESTS, null, seconds, bytes("seconds"), late))
                        .get(1, TimeUnit.MINUTES));

        Map<String, Answer> answers = answers();
        for (String id : List.of("binary", "line-break", "long-state", "seconds")) {
            assertThat(answers.get(id).outcome()).as(id).isEqualTo(Outcome.ANSWERED);
        }
    }

    private static void sendTraced(String id, byte[] traceparent, String tracestate) throws Exception {
        ProducerRecord<byte[], byte[]> message =
                new ProducerRecord<>(KafkaNodeFixture.REQUESTS, bytes(id), envelope(id, "'url': 'OK'"));
        message.headers().add("traceparent", traceparent);
        if (tracestate != null) {
            message.headers().add("tracestate", bytes(tracestate));
        }
        producer.send(message).get(1, TimeUnit.MINUTES);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void publishesARejectedEnvelopeWithoutReplyAsADeadLetter() throws Exception {
        byte[] silent = envelope("silent", "'reply': 'never', 'url': 'ftp://127.0.0.1/'");

        fixture.awaitCommitted(send("silent", silent, Map.of()));

        ConsumerRecord<byte[], byte[]> letter = only(KafkaNodeFixture.DEAD_LETTERS, "silent");
        assertThat(letter.value()).isEqualTo(silent);
        assertThat(header(letter, "iocluster-error-code")).isEqualTo("scheme-not-allowed");
        assertThat(withKey(KafkaNodeFixture.ANSWERS, "silent")).isEmpty();
        assertThat(fixture.target.requestLog().requests()).isZero();
    }

    @Test
    void truncatesTheBodyOfAnAnswerToWhatTheTopicAcceptsAndCallsItsTargetOnce() throws Exception {
        String url = fixture.target.url("/body?id=large&bytes=" + 2 * LARGEST_ANSWER);

        fixture.awaitCommitted(send("large", envelope("large", "'context': {'a': 1}, 'url': '" + url + "'"), Map.of()));

        Answer answer = answers().get("large");
        assertThat(answer.outcome()).isEqualTo(Outcome.ANSWERED);
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.truncated()).isTrue();
        assertThat(answer.body().length).isBetween(LARGEST_ANSWER / 4 * 3 - 1_000, LARGEST_ANSWER);
        assertThat(answer.context()).isEqualTo("{\"a\":1}");
        assertThat(fixture.target.requestLog().count("large")).isEqualTo(1);
        assertThat(withKey(KafkaNodeFixture.DEAD_LETTERS, "large")).isEmpty();
    }

    @Test
    void truncatesDeadLettersThatAreTooLargeAndBlocksNoOtherRecords() throws Exception {
        byte[] huge = new byte[1_048_200];
        for (int i = 0; i < 24; i++) {
            send("huge", huge, Map.of("tenant", "blue"));
        }
        fixture.awaitCommitted(send("behind", envelope("behind", "'url': 'OK'"), Map.of()));

        assertThat(answers().get("behind").outcome()).isEqualTo(Outcome.ANSWERED);
        assertThat(withKey(KafkaNodeFixture.DEAD_LETTERS, "huge")).hasSize(24).allSatisfy(letter -> {
            assertThat(letter.value()).hasSize(16 << 10);
            assertThat(header(letter, "iocluster-truncated")).isEqualTo("headers,payload");
            assertThat(header(letter, "iocluster-payload-size")).isEqualTo("1048200");
            assertThat(header(letter, "iocluster-error-code")).isEqualTo("malformed-envelope");
        });
    }

    /** Returns an envelope as JSON. Apostrophes stand for quotes, and {@code OK} for a valid URL. */
    private static byte[] envelope(String id, String fields) {
        String json =
                "{'id': '" + id + "', " + fields.replace("'OK'", "'" + fixture.target.url("/ok?id=" + id) + "'") + "}";
        return json.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
    }

    private static RecordMetadata send(String key, byte[] value, Map<String, String> headers) throws Exception {
        ProducerRecord<byte[], byte[]> message =
                new ProducerRecord<>(KafkaNodeFixture.REQUESTS, key.getBytes(StandardCharsets.UTF_8), value);
        headers.forEach((name, text) -> message.headers().add(name, text.getBytes(StandardCharsets.UTF_8)));
        return producer.send(message).get(1, TimeUnit.MINUTES);
    }

    /** Returns the answers so far, by the id of their call. Fails on a duplicate. */
    private static Map<String, Answer> answers() {
        return fixture.broker.readAll(KafkaNodeFixture.ANSWERS).stream()
                .map(message -> new AnswerDecoder().decode(message.value()))
                .collect(Collectors.toMap(Answer::id, Function.identity()));
    }

    private static ConsumerRecord<byte[], byte[]> only(String topic, String key) {
        List<ConsumerRecord<byte[], byte[]>> found = withKey(topic, key);
        assertThat(found).as("%s in %s", key, topic).hasSize(1);
        return found.get(0);
    }

    private static List<ConsumerRecord<byte[], byte[]>> withKey(String topic, String key) {
        return fixture.broker.readAll(topic).stream()
                .filter(message -> key.equals(new String(message.key(), StandardCharsets.UTF_8)))
                .toList();
    }

    private static String header(ConsumerRecord<byte[], byte[]> message, String name) {
        return new String(message.headers().lastHeader(name).value(), StandardCharsets.UTF_8);
    }
}
