package io.iocluster.rabbit.sink;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Method;
import io.iocluster.rabbit.connection.ChannelProbe;
import io.iocluster.rabbit.connection.FailureText;
import io.iocluster.transport.PublishResult;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One message to publish, and the future of its result. Created by any thread; the publisher's loop sends and completes it.
 */
public final class PendingPublish extends CompletableFuture<PublishResult> {

    private static final String DIRECT_REPLY = "amq.rabbitmq.reply-to.";

    private static final byte[] NO_BODY = {};
    private static final Pattern LAST_NUMBER = Pattern.compile("(\\d{1,18})\\D*$");

    private final String exchange;
    private final String routingKey;
    private final BasicProperties properties;
    private final byte[] body;

    /** The time of the last send. Confined to the loop. */
    long sentNanos;

    /** When the message began to wait, because too many messages to its queue are unconfirmed. Confined to the loop. */
    long waitingSinceNanos;

    /** The window in which it was sent last. Confined to the loop. */
    QueueWindow window;

    public PendingPublish(String exchange, String routingKey, BasicProperties properties, byte[] body) {
        this.exchange = exchange;
        this.routingKey = routingKey;
        this.properties = properties;
        this.body = body;
    }

    /** Returns a completed message without content, which stands for this one until the broker settles it. */
    PendingPublish withoutContent() {
        PendingPublish rest = new PendingPublish(exchange, routingKey, null, NO_BODY);
        rest.sentNanos = sentNanos;
        rest.window = window;
        rest.cancel(false);
        return rest;
    }

    /** Returns the queue for a message to the default exchange, else the exchange and the routing key. */
    String target() {
        return exchange.isEmpty() ? routingKey : exchange + "/" + routingKey;
    }

    String exchange() {
        return exchange;
    }

    String routingKey() {
        return routingKey;
    }

    BasicProperties properties() {
        return properties;
    }

    byte[] body() {
        return body;
    }

    /**
     * Returns whether the broker must return the message if no queue accepts it. False for direct reply-to, because that is not a
     * queue and the broker cannot tell whether the client still waits.
     */
    boolean isMandatory() {
        return !routingKey.startsWith(DIRECT_REPLY);
    }

    /** Returns whether a returned message can be this one. Of two messages with the same content, either may match. */
    boolean matches(
            String returnedExchange,
            String returnedRoutingKey,
            BasicProperties returnedProperties,
            byte[] returnedBody) {
        return routingKey.equals(returnedRoutingKey)
                && exchange.equals(returnedExchange)
                && Objects.equals(properties.getCorrelationId(), returnedProperties.getCorrelationId())
                && Arrays.equals(body, returnedBody);
    }

    void fail(String problem) {
        complete(new PublishResult.Failed(problem));
    }

    /** Fails the message because the broker closed the channel for it, and would do so again. */
    void refuse(Method reason) {
        String text = FailureText.replyText(reason);
        boolean tooLarge =
                FailureText.replyCode(reason) == ChannelProbe.PRECONDITION_FAILED && text.contains("message size");
        if (tooLarge) {
            complete(new PublishResult.TooLarge(text, maxSize(text)));
        } else if (FailureText.replyCode(reason) == ChannelProbe.NOT_FOUND) {
            complete(new PublishResult.UnknownTopicOrQueue(text));
        } else {
            fail(text);
        }
    }

    /** Returns the last number in the broker's text: 10 for "message size 20 is larger than configured max size 10". */
    private static long maxSize(String text) {
        Matcher number = LAST_NUMBER.matcher(text);
        return number.find() ? Long.parseLong(number.group(1)) : PublishResult.TooLarge.UNKNOWN_LIMIT;
    }
}
