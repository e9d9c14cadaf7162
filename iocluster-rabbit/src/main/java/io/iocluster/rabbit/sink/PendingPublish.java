package io.iocluster.rabbit.sink;

import com.rabbitmq.client.AMQP.BasicProperties;
import io.iocluster.transport.PublishResult;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

/**
 * One message on its way to the broker, and the stage that says how it ended. Made by any thread; the publisher's loop sends it and
 * completes it.
 */
public final class PendingPublish extends CompletableFuture<PublishResult> {

    private static final String DIRECT_REPLY = "amq.rabbitmq.reply-to.";

    private final String exchange;
    private final String routingKey;
    private final BasicProperties properties;
    private final byte[] body;

    /** When it was sent last. Confined to the loop. */
    long sentNanos;

    public PendingPublish(String exchange, String routingKey, BasicProperties properties, byte[] body) {
        this.exchange = exchange;
        this.routingKey = routingKey;
        this.properties = properties;
        this.body = body;
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
     * Whether it is to come back where no queue takes it. A client that waits for its answer on its own channel is no queue, and
     * whether it still waits nobody can say.
     */
    boolean isMandatory() {
        return !routingKey.startsWith(DIRECT_REPLY);
    }

    /** Whether a message that came back may be this one; of two that are the same in all of this, either will do. */
    boolean matches(String itsExchange, String itsRoutingKey, BasicProperties itsProperties, byte[] itsBody) {
        return routingKey.equals(itsRoutingKey)
                && exchange.equals(itsExchange)
                && Objects.equals(properties.getCorrelationId(), itsProperties.getCorrelationId())
                && Arrays.equals(body, itsBody);
    }

    void fail(String problem) {
        complete(new PublishResult.Failed(problem));
    }
}
