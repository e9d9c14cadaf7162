package io.iocluster.bench;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Puts envelopes of about 250 bytes on a topic, evenly over its partitions. Used by one thread. */
final class Envelopes implements AutoCloseable {

    /** Holds the instant a call was due, by this process's {@code nanoTime}. */
    static final String DUE = "bench-due";

    private static final String PADDING = "0123456789abcdefghijklmnopqrstuvwxyz";

    private final AtomicReference<Exception> problem = new AtomicReference<>();
    private final KafkaProducer<byte[], byte[]> producer;
    private final String topic;
    private final int partitions;
    private final String url;
    private long sent;

    Envelopes(String bootstrapServers, String topic, int partitions, String url, int lingerMillis) {
        this.topic = topic;
        this.partitions = partitions;
        this.url = url;
        this.producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", bootstrapServers, "linger.ms", lingerMillis, "batch.size", 131_072),
                new ByteArraySerializer(),
                new ByteArraySerializer());
    }

    void send(long dueNanos) {
        byte[] envelope = envelope(sent, url);
        ProducerRecord<byte[], byte[]> record =
                new ProducerRecord<>(topic, (int) (sent++ % partitions), null, envelope);
        record.headers()
                .add(DUE, ByteBuffer.allocate(Long.BYTES).putLong(dueNanos).array());
        producer.send(record, (metadata, failed) -> {
            if (failed != null) {
                problem.compareAndSet(null, failed);
            }
        });
    }

    /** Waits until the broker has all that was sent. */
    void flush() {
        producer.flush();
        if (problem.get() != null) {
            throw new IllegalStateException("cannot enqueue", problem.get());
        }
    }

    static byte[] envelope(long number, String url) {
        String id = String.format("%08x-0000-4000-8000-%012x", number & 0xffff_ffffL, number);
        return ("{\"id\":\"" + id + "\",\"method\":\"GET\",\"url\":\"" + url
                        + "\",\"headers\":{\"Accept\":\"application/json\",\"X-Click\":\"" + PADDING
                        + "\"},\"context\":{\"campaign\":\"" + PADDING + "\"}}")
                .getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        producer.close();
    }
}
