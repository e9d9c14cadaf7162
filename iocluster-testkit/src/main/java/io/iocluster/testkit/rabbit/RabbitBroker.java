package io.iocluster.testkit.rabbit;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.GetResponse;
import io.iocluster.testkit.broker.Docker;
import io.iocluster.testkit.kafka.KafkaBroker;
import java.net.URI;
import java.util.List;
import java.util.Map;

/**
 * A RabbitMQ of one node that a test can take away and bring back. The address and the data stay the same until {@link
 * #close}, which deletes the data. Owned by one test at a time; not safe for several threads.
 */
public interface RabbitBroker extends AutoCloseable {

    /**
     * Starts a broker and returns when it answers: a child process, or a container where the system property {@value
     * io.iocluster.testkit.kafka.KafkaBroker#PROVIDER_PROPERTY} asks for one, or no RabbitMQ is installed, and Docker runs.
     */
    static RabbitBroker launch() {
        return launch(RabbitOptions.DEFAULT);
    }

    /** Like {@link #launch()}. */
    static RabbitBroker launch(RabbitOptions options) {
        boolean container =
                System.getProperty(KafkaBroker.PROVIDER_PROPERTY, "process").equals("container");
        if ((container || !RabbitProcess.isAvailable()) && Docker.isAvailable()) {
            return RabbitDocker.launch(options);
        }
        return RabbitProcess.launch(options);
    }

    /** Where clients connect, with the user's name and password; the virtual host is {@code /}. */
    String uri();

    /**
     * Where the management API answers, to the user and password {@code guest}. Fails where its plugin is off; {@link
     * RabbitOptions#MANAGEMENT} puts it on.
     */
    URI managementUri();

    /** Declares a durable queue, or does nothing where it is there with the same arguments. */
    default void declareQueue(String name, Map<String, Object> arguments) {
        try (RabbitAdmin admin = new RabbitAdmin(uri())) {
            admin.declareQueue(name, arguments);
        }
    }

    /** Deletes the queue with what it holds; its consumers are cancelled. */
    default void deleteQueue(String name) {
        try (RabbitAdmin admin = new RabbitAdmin(uri())) {
            admin.deleteQueue(name);
        }
    }

    /**
     * Publishes persistent messages to the queue, in order, and returns when the broker has confirmed each. Fails if it refuses
     * one, as a quorum queue may while it has no leader.
     */
    default void publish(String queue, List<byte[]> bodies) {
        try (RabbitAdmin admin = new RabbitAdmin(uri())) {
            admin.publish(queue, RabbitAdmin.PERSISTENT, bodies);
        }
    }

    /** Like {@link #publish(String, List)}, for one message with the properties as given. */
    default void publish(String queue, AMQP.BasicProperties properties, byte[] body) {
        try (RabbitAdmin admin = new RabbitAdmin(uri())) {
            admin.publish(queue, properties, List.of(body));
        }
    }

    /**
     * What the queue holds ready now, in its order. The messages stay, marked as redelivered; a quorum queue counts this as
     * an attempt of each, so ask for the {@link #readyMessages} while waiting.
     */
    default List<GetResponse> peek(String queue) {
        try (RabbitAdmin admin = new RabbitAdmin(uri())) {
            return admin.peek(queue);
        }
    }

    /** Takes what the queue holds ready now, in its order. */
    default List<GetResponse> consume(String queue) {
        try (RabbitAdmin admin = new RabbitAdmin(uri())) {
            return admin.consume(queue);
        }
    }

    /**
     * How many messages are ready: neither taken nor with a consumer. A node that has just come back to its cluster may answer
     * from what it knew before.
     */
    default long readyMessages(String queue) {
        try (RabbitAdmin admin = new RabbitAdmin(uri())) {
            return admin.readyMessages(queue);
        }
    }

    /** Starts it again after {@link #stop} or {@link #kill}, and returns when it answers. */
    void start();

    /** Ends it gracefully; its data is kept. */
    void stop();

    /**
     * Ends it at once, by SIGKILL; its data is kept as it is. RabbitMQ writes down late which quorum queues it has: one that
     * somebody else declared less than a second ago is lost.
     */
    void kill();

    /** Freezes it, by SIGSTOP: connections stay open and nothing answers. */
    void pause();

    void unpause();

    /** Closes each connection of a client, as an operator would. */
    default void cutConnections() {
        rabbitmqctl("close_all_connections", "cut by the testkit");
    }

    /** Has it take no more messages, as if its memory were full: it blocks each connection that publishes. */
    default void raiseMemoryAlarm() {
        rabbitmqctl("set_vm_memory_high_watermark", "0");
    }

    default void clearMemoryAlarm() {
        rabbitmqctl("set_vm_memory_high_watermark", "0.6");
    }

    /** Runs {@code rabbitmqctl} on it and returns what that says. Fails if that does. */
    String rabbitmqctl(String... arguments);

    @Override
    void close();
}
