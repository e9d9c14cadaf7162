package io.iocluster.kafka.client;

import io.iocluster.client.spi.OutgoingRequest;
import io.iocluster.client.spi.RequestPublisher;
import io.iocluster.kafka.config.ClientProperties;
import io.iocluster.kafka.config.KafkaSettings;
import io.iocluster.kafka.sink.KafkaPublisher;
import io.iocluster.kafka.sink.PendingSend;
import io.iocluster.transport.PublishResult;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.producer.ProducerRecord;

/** Puts requests on the first of the topics that are read. Any thread may call. */
public final class KafkaRequestPublisher implements RequestPublisher {

    private final String topic;
    private final KafkaPublisher publisher;

    /** As this client, whose name appears in the broker's logs. */
    public KafkaRequestPublisher(KafkaSettings settings, String clientName) {
        this.topic = settings.requests().topics().get(0);
        this.publisher = KafkaPublisher.forRequests(new ClientProperties(settings, clientName), "requests");
        publisher.start();
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
     * Enqueues one envelope, without waiting; for as long as the broker is away the stage stays open.
     *
     * @param key null for none
     * @param headers may be empty
     */
    public CompletableFuture<PublishResult> send(byte[] envelope, byte[] key, Map<String, byte[]> headers) {
        // Deadlines count from now, however long the broker is away.
        ProducerRecord<byte[], byte[]> message =
                new ProducerRecord<>(topic, null, System.currentTimeMillis(), key, envelope);
        headers.forEach(message.headers()::add);
        PendingSend publication = new PendingSend(message, publisher);
        publisher.post(publication);
        return publication;
    }

    @Override
    public void close() {
        publisher.close();
    }
}
