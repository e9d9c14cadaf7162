package io.iocluster.rabbit;

import com.rabbitmq.client.AMQP.BasicProperties;
import io.iocluster.transport.DeadLetterReason;
import io.iocluster.transport.Delivery;
import io.iocluster.transport.PublishResult;
import io.iocluster.transport.PutOff;
import io.iocluster.transport.ResponseSink;
import io.iocluster.transport.TraceContext;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Publishes answers, dead letters and what is put off, persistent and confirmed; a message that no queue takes is a failure. */
public final class RabbitSink implements ResponseSink {

    private static final String DEFAULT_EXCHANGE = "";

    private final RabbitSettings settings;
    private final String nodeId;
    private final Places places;
    private final Publisher publisher;

    RabbitSink(RabbitSettings settings, Connector connector, Alarm alarm, String nodeId) {
        this.settings = settings;
        this.nodeId = nodeId;
        this.places = new Places(settings);
        this.publisher = new Publisher(settings, connector, "sink", alarm, false);
    }

    @Override
    public void start() {
        publisher.start();
    }

    @Override
    public boolean allowsReplyTo(String replyTo) {
        return places.allowsReplyTo(replyTo);
    }

    @Override
    public boolean isKnownMissing(String replyTo) {
        return !settings.answers().isQueue(replyTo) && publisher.isKnownMissing(replyTo);
    }

    @Override
    public boolean isReachable() {
        return publisher.isReachable();
    }

    @Override
    public CompletionStage<PublishResult> publish(Delivery request, byte[] answer, String replyTo, TraceContext trace) {
        long most = settings.maxMessageSize().bytes();
        if (answer.length > most) {
            return CompletableFuture.completedFuture(
                    new PublishResult.TooLarge(answer.length + " bytes, over rabbit.max-message-size of " + most));
        }
        BasicProperties properties = OutgoingProperties.answer(((RabbitDelivery) request).properties(), trace);
        return replyTo == null
                ? post(settings.answers().exchange(), settings.answers().routingKey(), properties, answer)
                : post(DEFAULT_EXCHANGE, replyTo, properties, answer);
    }

    @Override
    public CompletionStage<PublishResult> publishDeadLetter(Delivery request, DeadLetterReason reason) {
        BasicProperties properties = OutgoingProperties.deadLetter((RabbitDelivery) request, reason, nodeId);
        return post(DEFAULT_EXCHANGE, settings.deadLetters().queue(), properties, request.payload())
                .thenApply(RabbitSink::neverTooLarge);
    }

    @Override
    public CompletionStage<PublishResult> publishDeadAnswer(Delivery request, byte[] answer, DeadLetterReason reason) {
        BasicProperties properties = OutgoingProperties.deadAnswer((RabbitDelivery) request, reason, nodeId);
        return post(DEFAULT_EXCHANGE, settings.deadLetters().queue(), properties, answer);
    }

    @Override
    public List<Duration> delays() {
        return settings.delayed().delays();
    }

    @Override
    public CompletionStage<PublishResult> putOff(Delivery request, Duration delay, PutOff state) {
        BasicProperties properties = OutgoingProperties.putOff((RabbitDelivery) request, state);
        return post(DEFAULT_EXCHANGE, settings.delayedQueue(delay), properties, request.payload())
                .thenApply(RabbitSink::neverTooLarge);
    }

    /** What is published again as it is cannot be made smaller. */
    private static PublishResult neverTooLarge(PublishResult result) {
        return result instanceof PublishResult.TooLarge tooLarge
                ? new PublishResult.Failed(tooLarge.problem())
                : result;
    }

    private CompletionStage<PublishResult> post(
            String exchange, String routingKey, BasicProperties properties, byte[] body) {
        Publication publication = new Publication(exchange, routingKey, properties, body);
        publisher.post(publication);
        return publication;
    }

    @Override
    public void close() {
        publisher.close();
    }
}
