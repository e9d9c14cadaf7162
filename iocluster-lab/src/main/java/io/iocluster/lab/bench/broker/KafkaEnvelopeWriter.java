package io.iocluster.lab.bench.broker;

import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Publishes envelopes to a topic, evenly over its partitions. */
final class KafkaEnvelopeWriter implements EnvelopeWriter {

    private final AtomicReference<Exception> problem = new AtomicReference<>();
    private final KafkaProducer<byte[], byte[]> producer;
    private final String topic;
    private final int partitions;
    private long sent;

    KafkaEnvelopeWriter(String bootstrapServers, String topic, int partitions, int lingerMillis) {
        this.topic = topic;
        this.partitions = partitions;
        this.producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", bootstrapServers, "linger.ms", lingerMillis, "batch.size", 131_072),
                new ByteArraySerializer(),
                new ByteArraySerializer());
    }

    @Override
    public void send(String url, long dueNanos) {
        byte[] envelope = EnvelopeWriter.envelope(sent, url);
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

    @Override
    public void flush() {
        producer.flush();
        if (problem.get() != null) {
            throw new IllegalStateException("cannot enqueue", problem.get());
        }
    }

    @Override
    public void close() {
        producer.close();
    }
}
