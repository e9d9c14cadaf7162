package io.iocluster.node.fault;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntFunction;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Sends envelopes to the request topic. Owned by one test. */
final class RequestSender implements AutoCloseable {

    private final KafkaProducer<byte[], byte[]> producer;
    private final String topic;
    private final AtomicReference<Exception> failure = new AtomicReference<>();

    RequestSender(String bootstrapServers, String topic) {
        this.topic = topic;
        this.producer = new KafkaProducer<>(
                Map.of(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers, ProducerConfig.LINGER_MS_CONFIG, 5),
                new ByteArraySerializer(),
                new ByteArraySerializer());
    }

    /** Sends a GET of each URL, with its number as the id, and waits for all confirms. */
    void send(int from, int to, IntFunction<String> key, IntFunction<String> url) {
        for (int i = from; i < to; i++) {
            String recordKey = key.apply(i);
            byte[] envelope =
                    ("{\"id\":\"" + i + "\",\"url\":\"" + url.apply(i) + "\"}").getBytes(StandardCharsets.UTF_8);
            producer.send(
                    new ProducerRecord<>(
                            topic, recordKey == null ? null : recordKey.getBytes(StandardCharsets.UTF_8), envelope),
                    (done, problem) -> {
                        if (problem != null) {
                            failure.compareAndSet(null, problem);
                        }
                    });
        }
        producer.flush();
        if (failure.get() != null) {
            throw new AssertionError("requests were not sent: " + failure.get(), failure.get());
        }
    }

    @Override
    public void close() {
        producer.close();
    }
}
