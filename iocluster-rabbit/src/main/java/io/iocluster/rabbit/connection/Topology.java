package io.iocluster.rabbit.connection;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import io.iocluster.rabbit.config.RabbitSettings;
import io.iocluster.rabbit.config.RabbitSettings.QueueType;
import io.iocluster.rabbit.connection.ChannelProbe.BrokerRefusal;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Verifies the configured queues and exchange on the broker. Immutable; methods block. Existing ones are never changed. Missing
 * queues are declared only if {@code rabbit.declare.enabled} is set.
 */
public final class Topology {

    private static final Logger LOG = LoggerFactory.getLogger(Topology.class);

    private final RabbitSettings settings;
    private final boolean readOnly;

    public Topology(RabbitSettings settings) {
        this(settings, false);
    }

    private Topology(RabbitSettings settings, boolean readOnly) {
        this.settings = settings;
        this.readOnly = readOnly;
    }

    /** Returns the topology of a consumer that publishes nothing: the request queue only. */
    public static Topology forReading(RabbitSettings settings) {
        return new Topology(settings, true);
    }

    /**
     * One queue or exchange that the node needs.
     *
     * @param arguments for its declaration; null if the node never declares it
     */
    public record BrokerEntity(String name, boolean isQueue, Map<String, Object> arguments) {

        /** Returns its kind and name. */
        String title() {
            return (isQueue ? "queue " : "exchange ") + name;
        }

        void verify(Channel channel) throws IOException {
            if (isQueue) {
                channel.queueDeclarePassive(name);
            } else {
                channel.exchangeDeclarePassive(name);
            }
        }

        void declare(Channel channel) throws IOException {
            channel.queueDeclare(name, true, false, false, arguments);
        }
    }

    /** Returns everything that the node needs, the request queue first. */
    public List<BrokerEntity> entities() {
        List<BrokerEntity> entities = new ArrayList<>();
        entities.add(new BrokerEntity(settings.requests().queue(), true, requestArguments()));
        if (readOnly) {
            return entities;
        }
        entities.add(
                settings.answers().exchange().isEmpty()
                        ? new BrokerEntity(settings.answers().routingKey(), true, arguments())
                        : new BrokerEntity(settings.answers().exchange(), false, null));
        entities.add(new BrokerEntity(settings.deadLetters().queue(), true, arguments()));
        for (Duration delay : settings.delayed().enabledTiers()) {
            entities.add(new BrokerEntity(settings.delayedQueue(delay), true, delayArguments(delay)));
        }
        return entities;
    }

    private Map<String, Object> arguments() {
        return new HashMap<>(
                Map.of("x-queue-type", settings.declare().queueType().name().toLowerCase(java.util.Locale.ROOT)));
    }

    /** Requests that the broker drops go to the dead-letter queue too. */
    private Map<String, Object> requestArguments() {
        return argumentsWithDeadLetterQueue(settings.deadLetters().queue());
    }

    /**
     * All messages of a queue have the same expiration, because the broker expires messages only at the head. Expired messages
     * return to the request queue.
     */
    private Map<String, Object> delayArguments(Duration delay) {
        Map<String, Object> arguments =
                argumentsWithDeadLetterQueue(settings.requests().queue());
        arguments.put("x-message-ttl", delay.toMillis());
        return arguments;
    }

    private Map<String, Object> argumentsWithDeadLetterQueue(String queue) {
        Map<String, Object> arguments = arguments();
        arguments.put("x-dead-letter-exchange", "");
        arguments.put("x-dead-letter-routing-key", queue);
        if (settings.declare().queueType() == QueueType.QUORUM) {
            arguments.put("x-dead-letter-strategy", "at-least-once");
            // Required by the strategy; it has an effect only if the queue has a length limit.
            arguments.put("x-overflow", "reject-publish");
        }
        return arguments;
    }

    /**
     * Verifies every queue and exchange, and declares missing queues if the settings enable it.
     *
     * @throws IOException if one is still missing; the message is for the operator
     */
    public void verifyOrDeclare(Connection connection) throws IOException {
        for (BrokerEntity entity : entities()) {
            String problem = problem(connection, entity, settings.declare().enabled());
            if (problem != null) {
                throw new IOException(entity.title() + ": " + problem);
            }
        }
    }

    /**
     * Checks a queue or exchange.
     *
     * @param declare whether to declare a missing queue
     * @return null if it exists, else what is wrong
     * @throws IOException if the broker does not answer
     */
    String problem(Connection connection, BrokerEntity entity, boolean declare) throws IOException {
        BrokerRefusal refusal = ChannelProbe.probe(connection, entity::verify);
        if (refusal != null && refusal.code() == ChannelProbe.NOT_FOUND && declare && entity.isQueue()) {
            refusal = ChannelProbe.probe(connection, entity::declare);
            if (refusal == null) {
                LOG.info("Queue declared queue={}", entity.name());
            } else if (refusal.code() == ChannelProbe.PRECONDITION_FAILED) {
                // Another node has declared it meanwhile, with other arguments.
                refusal = ChannelProbe.probe(connection, entity::verify);
            }
        }
        if (refusal == null) {
            return null;
        }
        return refusal.code() == ChannelProbe.NOT_FOUND ? RabbitQueueAdmin.MISSING : refusal.text();
    }
}
