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
 * The queues and the exchange of the settings on the broker. What is there is never touched; what is missing is declared only if
 * the settings ask for it. Has no state; methods block.
 */
public final class Topology {

    private static final Logger LOG = LoggerFactory.getLogger(Topology.class);

    private final RabbitSettings settings;
    private final boolean onlyRead;

    public Topology(RabbitSettings settings) {
        this(settings, false);
    }

    private Topology(RabbitSettings settings, boolean onlyRead) {
        this.settings = settings;
        this.onlyRead = onlyRead;
    }

    /** Of one who reads the queue and publishes nothing. */
    public static Topology forReading(RabbitSettings settings) {
        return new Topology(settings, true);
    }

    /**
     * One queue or exchange that the node needs.
     *
     * @param arguments what it is declared with, null if it never is
     */
    public record BrokerEntity(String name, boolean isQueue, Map<String, Object> arguments) {

        /** What it is, and its name. */
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

    /** All that is needed, the queue that is read first. */
    public List<BrokerEntity> entities() {
        List<BrokerEntity> places = new ArrayList<>();
        places.add(new BrokerEntity(settings.requests().queue(), true, requestArguments()));
        if (onlyRead) {
            return places;
        }
        places.add(
                settings.answers().exchange().isEmpty()
                        ? new BrokerEntity(settings.answers().routingKey(), true, arguments())
                        : new BrokerEntity(settings.answers().exchange(), false, null));
        places.add(new BrokerEntity(settings.deadLetters().queue(), true, arguments()));
        for (Duration delay : settings.delayed().enabledTiers()) {
            places.add(new BrokerEntity(settings.delayedQueue(delay), true, delayArguments(delay)));
        }
        return places;
    }

    private Map<String, Object> arguments() {
        return new HashMap<>(
                Map.of("x-queue-type", settings.declare().queueType().name().toLowerCase(java.util.Locale.ROOT)));
    }

    /** What the broker itself gives up on goes to the dead letters too. */
    private Map<String, Object> requestArguments() {
        return argumentsOfAQueueThatGivesUpTo(settings.deadLetters().queue());
    }

    /** All messages of a queue live equally long, for the broker looks at the first alone; then they are requests again. */
    private Map<String, Object> delayArguments(Duration delay) {
        Map<String, Object> arguments =
                argumentsOfAQueueThatGivesUpTo(settings.requests().queue());
        arguments.put("x-message-ttl", delay.toMillis());
        return arguments;
    }

    private Map<String, Object> argumentsOfAQueueThatGivesUpTo(String queue) {
        Map<String, Object> arguments = arguments();
        arguments.put("x-dead-letter-exchange", "");
        arguments.put("x-dead-letter-routing-key", queue);
        if (settings.declare().queueType() == QueueType.QUORUM) {
            arguments.put("x-dead-letter-strategy", "at-least-once");
            // The strategy asks for it; it matters only where the queue has a limit.
            arguments.put("x-overflow", "reject-publish");
        }
        return arguments;
    }

    /**
     * Declares what is missing, if the settings ask for it.
     *
     * @throws IOException if something is missing then; the message is for people
     */
    public void verifyOrDeclare(Connection connection) throws IOException {
        for (BrokerEntity place : entities()) {
            String problem = problem(connection, place, settings.declare().enabled());
            if (problem != null) {
                throw new IOException("the " + place.title() + ": " + problem);
            }
        }
    }

    /**
     * Looks for a place.
     *
     * @param declare whether it is made if it is missing
     * @return null if it is there
     * @throws IOException if the broker does not answer
     */
    String problem(Connection connection, BrokerEntity place, boolean declare) throws IOException {
        BrokerRefusal refusal = ChannelProbe.probe(connection, place::verify);
        if (refusal != null && refusal.code() == ChannelProbe.NOT_FOUND && declare && place.isQueue()) {
            refusal = ChannelProbe.probe(connection, place::declare);
            if (refusal == null) {
                LOG.info("Declared the {}", place.title());
            } else if (refusal.code() == ChannelProbe.PRECONDITION_FAILED) {
                // Another node was faster, with other arguments.
                refusal = ChannelProbe.probe(connection, place::verify);
            }
        }
        if (refusal == null) {
            return null;
        }
        return refusal.code() == ChannelProbe.NOT_FOUND ? RabbitQueueAdmin.MISSING : refusal.text();
    }
}
