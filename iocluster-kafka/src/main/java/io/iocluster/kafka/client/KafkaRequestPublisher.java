package io.iocluster.kafka.client;

import io.iocluster.client.spi.OutgoingRequest;
import io.iocluster.client.spi.RequestPublisher;
import io.iocluster.kafka.config.KafkaConnections;
import io.iocluster.kafka.config.KafkaSettings;
import io.iocluster.kafka.sink.KafkaPublisher;
import io.iocluster.kafka.sink.PendingSend;
import io.iocluster.thread.NodeClock;
import io.iocluster.transport.PublishResult;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.producer.ProducerRecord;

/** Publishes requests to the first request topic. Thread-safe. */
public final class KafkaRequestPublisher implements RequestPublisher {

    private final NodeClock clock;
    private final String topic;
    private final String brokerAddresses;
    private final KafkaPublisher publisher;

    /** Creates and starts a publisher. */
    public KafkaRequestPublisher(KafkaConnections connections) {
        KafkaSettings settings = connections.settings();
        this.clock = connections.platform();
        this.topic = settings.requests().topics().get(0);
        this.brokerAddresses = settings.bootstrapServers();
        this.publisher = KafkaPublisher.forRequests(connections, "requests");
        publisher.start(topic);
    }

    @Override
    public CompletableFuture<PublishResult> publish(OutgoingRequest request) {
        Map<String, byte[]> headers = new HashMap<>();
        request.headers().forEach((name, value) -> headers.put(name, utf8(value)));
        return send(request.envelope(), request.key() == null ? null : utf8(request.key()), headers);
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /**
     * Publishes an envelope without waiting. The future stays incomplete while the broker is unreachable.
     *
     * @param key null for none
     */
    public CompletableFuture<PublishResult> send(byte[] envelope, byte[] key, Map<String, byte[]> headers) {
        // Deadlines are relative to this timestamp, even if the broker is unreachable for a while.
        ProducerRecord<byte[], byte[]> message = new ProducerRecord<>(topic, null, clock.wallMillis(), key, envelope);
        headers.forEach(message.headers()::add);
        PendingSend publication = new PendingSend(message, publisher);
        publisher.post(publication);
        return publication;
    }

    @Override
    public String brokerAddresses() {
        return brokerAddresses;
    }

    @Override
    public void close() {
        publisher.close();
    }
}
