package io.iocluster.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.iocluster.message.Answer;
import io.iocluster.message.AnswerDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Sends envelopes and collects the answer to each. Thread-safe. */
public final class CallExchange implements AutoCloseable {

    private final KafkaNodeFixture fixture;
    private final KafkaProducer<byte[], byte[]> producer;
    private final Map<String, Long> sent = new ConcurrentHashMap<>();

    public CallExchange(KafkaNodeFixture fixture) {
        this.fixture = fixture;
        this.producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", fixture.broker.bootstrapServers()),
                new ByteArraySerializer(),
                new ByteArraySerializer());
    }

    /** An answer, and the time from its envelope to its publishing. */
    public record TimedAnswer(Answer answer, long afterMillis) {}

    /**
     * Sends an envelope with these fields, in which apostrophes stand for quotes, and waits for the broker's confirm.
     */
    public RecordMetadata send(String id, String fields) throws Exception {
        byte[] envelope =
                ("{'id': '" + id + "', " + fields + "}").replace('\'', '"').getBytes(StandardCharsets.UTF_8);
        long now = System.currentTimeMillis();
        sent.put(id, now);
        return producer.send(new ProducerRecord<>(
                        KafkaNodeFixture.REQUESTS, null, now, id.getBytes(StandardCharsets.UTF_8), envelope))
                .get(1, TimeUnit.MINUTES);
    }

    /** Returns the number of envelopes sent. */
    public int sent() {
        return sent.size();
    }

    /** Sends an envelope and waits for its answer. */
    public TimedAnswer ask(String id, String fields) throws Exception {
        send(id, fields);
        return await().atMost(Duration.ofMinutes(2)).until(() -> answers().get(id), answer -> answer != null);
    }

    /** Returns the answers so far, by id. Fails on a duplicate. */
    public Map<String, TimedAnswer> answers() {
        Map<String, TimedAnswer> answers = new HashMap<>();
        for (ConsumerRecord<byte[], byte[]> each : fixture.broker.readAll(KafkaNodeFixture.ANSWERS)) {
            Answer answer = new AnswerDecoder().decode(each.value());
            TimedAnswer twice =
                    answers.put(answer.id(), new TimedAnswer(answer, each.timestamp() - sent.get(answer.id())));
            assertThat(twice).as("an answer to %s before this one", answer.id()).isNull();
        }
        return answers;
    }

    @Override
    public void close() {
        producer.close();
    }
}
