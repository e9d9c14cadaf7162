package io.iocluster.kafka;

import io.iocluster.transport.PublishResult;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.apache.kafka.clients.producer.ProducerRecord;

/** Puts requests on the first of the topics that are read. Any thread may call. */
public final class KafkaRequests implements AutoCloseable {

    private final String topic;
    private final Publisher publisher;

    /** As this client, whose name appears in the broker's logs. */
    public KafkaRequests(KafkaSettings settings, String clientName) {
        this.topic = settings.requests().topics().get(0);
        this.publisher = new Publisher(new ClientProperties(settings, clientName), "requests");
        publisher.start();
    }

    /**
     * Enqueues one envelope, without waiting; for as long as the broker is away the stage stays open.
     *
     * @param key null for none
     * @param headers may be empty
     */
    public CompletionStage<PublishResult> send(byte[] envelope, byte[] key, Map<String, byte[]> headers) {
        ProducerRecord<byte[], byte[]> message = new ProducerRecord<>(topic, key, envelope);
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
