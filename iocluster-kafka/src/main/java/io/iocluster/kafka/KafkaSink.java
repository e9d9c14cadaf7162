package io.iocluster.kafka;

import io.iocluster.transport.DeadLetterReason;
import io.iocluster.transport.Delivery;
import io.iocluster.transport.PublishResult;
import io.iocluster.transport.ResponseSink;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Headers;

/** Publishes answers and dead letters with the key and the headers of their request, confirmed by all replicas in sync. */
public final class KafkaSink implements ResponseSink {

    private final KafkaSettings settings;
    private final String nodeId;
    private final TopicNames names;
    private final Publisher publisher;

    KafkaSink(KafkaSettings settings, ClientProperties properties, String nodeId) {
        this.settings = settings;
        this.nodeId = nodeId;
        this.names = new TopicNames(settings);
        this.publisher = new Publisher(properties, "sink");
    }

    @Override
    public void start() {
        publisher.start();
    }

    @Override
    public boolean allowsReplyTo(String replyTo) {
        return names.allowsReplyTo(replyTo);
    }

    @Override
    public CompletionStage<PublishResult> publish(Delivery request, byte[] answer, String replyTo) {
        ConsumerRecord<byte[], byte[]> asked = ((KafkaDelivery) request).message();
        String topic = replyTo == null ? settings.answers().topic() : replyTo;
        return post(new ProducerRecord<>(topic, null, asked.key(), answer, asked.headers()));
    }

    @Override
    public CompletionStage<PublishResult> publishDeadLetter(Delivery request, DeadLetterReason reason) {
        ConsumerRecord<byte[], byte[]> asked = ((KafkaDelivery) request).message();
        ProducerRecord<byte[], byte[]> letter =
                new ProducerRecord<>(settings.deadLetters().topic(), null, asked.key(), asked.value(), asked.headers());
        Headers headers = letter.headers();
        Map<String, byte[]> reasons = reason.headers(request.coordinates(), nodeId, Instant.now());
        reasons.forEach((name, value) -> headers.remove(name).add(name, value));
        return post(letter).thenApply(KafkaSink::neverTooLarge);
    }

    /** A dead letter cannot be made smaller. */
    private static PublishResult neverTooLarge(PublishResult result) {
        return result instanceof PublishResult.TooLarge tooLarge
                ? new PublishResult.Failed(tooLarge.problem())
                : result;
    }

    private CompletionStage<PublishResult> post(ProducerRecord<byte[], byte[]> message) {
        Publication publication = new Publication(message, publisher);
        publisher.post(publication);
        return publication;
    }

    @Override
    public void close() {
        publisher.close();
    }
}
