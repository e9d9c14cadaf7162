package io.iocluster.rabbit;

import com.rabbitmq.client.AMQP.BasicProperties;
import io.iocluster.transport.CutMessage;
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
    private final String userId;
    private final Places places;
    private final Publisher publisher;

    RabbitSink(RabbitSettings settings, Connector connector, Alarm alarm, String nodeId) {
        this.settings = settings;
        this.nodeId = nodeId;
        this.userId = settings.effectiveUserId();
        this.places = new Places(settings);
        this.publisher = new Publisher(settings, connector, "sink", alarm, false);
    }

    @Override
    public void start() {
        publisher.start();
    }

    @Override
    public boolean allowsReplyTo(Delivery request, String replyTo) {
        return places.allowsReplyTo(request, ((RabbitDelivery) request).userId(), replyTo);
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
        BasicProperties asked = ((RabbitDelivery) request).properties();
        CompletionStage<PublishResult> whole = answer(replyTo, OutgoingProperties.answer(asked, trace), answer);
        return asked.getHeaders() == null || asked.getHeaders().isEmpty()
                ? whole
                : new CutMessage()
                        .then(null, () -> whole)
                        .then(
                                CutMessage.HEADERS,
                                () -> answer(replyTo, OutgoingProperties.cutAnswer(asked, trace), answer))
                        .publish();
    }

    private CompletionStage<PublishResult> answer(String replyTo, BasicProperties properties, byte[] answer) {
        return replyTo == null
                ? post(settings.answers().exchange(), settings.answers().routingKey(), properties, answer)
                : post(DEFAULT_EXCHANGE, replyTo, properties, answer);
    }

    @Override
    public CompletionStage<PublishResult> publishDeadLetter(Delivery request, DeadLetterReason reason) {
        return new DeadLetter((RabbitDelivery) request, reason, nodeId)
                .publish((properties, body) ->
                        post(DEFAULT_EXCHANGE, settings.deadLetters().queue(), properties, body))
                .thenApply(RabbitSink::neverTooLarge);
    }

    @Override
    public CompletionStage<PublishResult> publishDeadAnswer(Delivery request, byte[] answer, DeadLetterReason reason) {
        return new DeadLetter((RabbitDelivery) request, reason, nodeId)
                .publishAnswer(
                        answer,
                        (properties, body) ->
                                post(DEFAULT_EXCHANGE, settings.deadLetters().queue(), properties, body));
    }

    @Override
    public List<Duration> delays() {
        return settings.delayed().delays();
    }

    @Override
    public CompletionStage<PublishResult> putOff(Delivery request, Duration delay, PutOff state) {
        BasicProperties properties = OutgoingProperties.putOff((RabbitDelivery) request, state, userId);
        return post(DEFAULT_EXCHANGE, settings.delayedQueue(delay), properties, request.payload());
    }

    /** The smallest dead letter cannot be made smaller. */
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
