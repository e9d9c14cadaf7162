package io.iocluster.kafka;

import io.iocluster.client.OutgoingRequest;
import io.iocluster.client.RequestQueue;
import io.iocluster.transport.PublishResult;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.producer.ProducerRecord;

/** Puts requests on the first of the topics that are read. Any thread may call. */
public final class KafkaRequests implements RequestQueue {

    private final String topic;
    private final Publisher publisher;

    /** As this client, whose name appears in the broker's logs. */
    public KafkaRequests(KafkaSettings settings, String clientName) {
        this.topic = settings.requests().topics().get(0);
        this.publisher = Publisher.ofRequests(new ClientProperties(settings, clientName), "requests");
        publisher.start();
    }

    @Override
    public CompletableFuture<PublishResult> enqueue(OutgoingRequest request) {
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
        Publication publication = new Publication(message, publisher);
        publisher.post(publication);
        return publication;
    }

    @Override
    public void close() {
        publisher.close();
    }
}
