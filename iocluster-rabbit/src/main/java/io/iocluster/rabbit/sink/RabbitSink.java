package io.iocluster.rabbit.sink;

import com.rabbitmq.client.AMQP.BasicProperties;
import io.iocluster.rabbit.config.RabbitSettings;
import io.iocluster.rabbit.config.ReplyToPolicy;
import io.iocluster.rabbit.connection.RabbitConnections;
import io.iocluster.rabbit.connection.ResourceAlarm;
import io.iocluster.rabbit.ledger.RabbitDelivery;
import io.iocluster.thread.Platform;
import io.iocluster.transport.DeadLetterReason;
import io.iocluster.transport.DelayedRetry;
import io.iocluster.transport.Delivery;
import io.iocluster.transport.PublishResult;
import io.iocluster.transport.ResponseSink;
import io.iocluster.transport.TraceContext;
import io.iocluster.transport.TruncatableMessage;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Publishes answers, dead letters and delayed retries as persistent messages with confirms. Thread-safe. A message that no
 * queue accepts is a failure.
 */
public final class RabbitSink implements ResponseSink {

    private static final String DEFAULT_EXCHANGE = "";

    private final RabbitSettings settings;
    private final String nodeId;
    private final Platform platform;
    private final String userId;
    private final ReplyToPolicy replyToPolicy;
    private final RabbitPublisher publisher;

    public RabbitSink(
            RabbitSettings settings,
            RabbitConnections connections,
            ResourceAlarm alarm,
            String nodeId,
            Platform platform) {
        this.settings = settings;
        this.nodeId = nodeId;
        this.platform = platform;
        this.userId = settings.effectiveUserId();
        this.replyToPolicy = new ReplyToPolicy(settings);
        this.publisher = new RabbitPublisher(settings, connections, "sink", alarm, false, platform);
    }

    @Override
    public void start() {
        publisher.start();
    }

    @Override
    public boolean isReplyToAllowed(Delivery request, String replyTo) {
        return replyToPolicy.allowsReplyTo(request, ((RabbitDelivery) request).userId(), replyTo);
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
    public int isolatedQueues() {
        return publisher.isolatedQueues();
    }

    @Override
    public CompletionStage<PublishResult> publish(Delivery request, byte[] answer, String replyTo, TraceContext trace) {
        long max = settings.maxMessageSize().bytes();
        if (answer.length > max) {
            return CompletableFuture.completedFuture(new PublishResult.TooLarge(
                    "the answer has " + answer.length + " bytes; rabbit.max-message-size is " + max, max));
        }
        BasicProperties original = ((RabbitDelivery) request).properties();
        CompletionStage<PublishResult> complete = answer(replyTo, OutgoingProperties.answer(original, trace), answer);
        return original.getHeaders() == null || original.getHeaders().isEmpty()
                ? complete
                : new TruncatableMessage()
                        .addVersion(null, () -> complete)
                        .addVersion(
                                TruncatableMessage.WITHOUT_HEADERS,
                                () -> answer(replyTo, OutgoingProperties.answerWithoutHeaders(original, trace), answer))
                        .publish();
    }

    private CompletionStage<PublishResult> answer(String replyTo, BasicProperties properties, byte[] answer) {
        return replyTo == null
                ? post(settings.answers().exchange(), settings.answers().routingKey(), properties, answer)
                : post(DEFAULT_EXCHANGE, replyTo, properties, answer);
    }

    @Override
    public CompletionStage<PublishResult> publishDeadLetter(Delivery request, DeadLetterReason reason) {
        return new RabbitDeadLetter(
                        (RabbitDelivery) request,
                        reason,
                        nodeId,
                        platform.clock().instant())
                .publish((properties, body) ->
                        post(DEFAULT_EXCHANGE, settings.deadLetters().queue(), properties, body))
                .thenApply(RabbitSink::neverTooLarge);
    }

    @Override
    public CompletionStage<PublishResult> publishAnswerAsDeadLetter(
            Delivery request, byte[] answer, DeadLetterReason reason) {
        return new RabbitDeadLetter(
                        (RabbitDelivery) request,
                        reason,
                        nodeId,
                        platform.clock().instant())
                .publishAnswer(
                        answer,
                        (properties, body) ->
                                post(DEFAULT_EXCHANGE, settings.deadLetters().queue(), properties, body));
    }

    @Override
    public List<Duration> supportedDelays() {
        return settings.delayed().enabledTiers();
    }

    @Override
    public CompletionStage<PublishResult> publishDelayedRetry(Delivery request, Duration delay, DelayedRetry state) {
        BasicProperties properties = OutgoingProperties.delayedRetry((RabbitDelivery) request, state, userId);
        return post(DEFAULT_EXCHANGE, settings.delayedQueue(delay), properties, request.payload());
    }

    /** Turns "too large" into a failure, because the smallest dead letter cannot be truncated further. */
    private static PublishResult neverTooLarge(PublishResult result) {
        return result instanceof PublishResult.TooLarge tooLarge
                ? new PublishResult.Failed(tooLarge.problem())
                : result;
    }

    private CompletionStage<PublishResult> post(
            String exchange, String routingKey, BasicProperties properties, byte[] body) {
        PendingPublish publication = new PendingPublish(exchange, routingKey, properties, body);
        publisher.post(publication);
        return publication;
    }

    @Override
    public void close() {
        publisher.close();
    }
}
