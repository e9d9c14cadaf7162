package io.iocluster.testkit.rabbit;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.GetResponse;
import io.iocluster.testkit.broker.Docker;
import io.iocluster.testkit.broker.RestartableBroker;
import io.iocluster.testkit.kafka.KafkaBroker;
import java.net.URI;
import java.util.List;
import java.util.Map;

/**
 * A single-node RabbitMQ broker that a test can stop and start. Address and data stay the same until {@link #close},
 * which deletes the data. Owned by one test at a time; not thread-safe.
 */
public interface RabbitBroker extends RestartableBroker, AutoCloseable {

    /**
     * Starts a broker and returns when it answers. It is a child process; or a container if Docker runs, and either the
     * system property {@value io.iocluster.testkit.kafka.KafkaBroker#PROVIDER_PROPERTY} is {@code container} or no
     * RabbitMQ is installed.
     */
    static RabbitBroker launch() {
        return launch(RabbitOptions.DEFAULT);
    }

    /** Starts a broker like {@link #launch()}, with options. */
    static RabbitBroker launch(RabbitOptions options) {
        boolean container =
                System.getProperty(KafkaBroker.PROVIDER_PROPERTY, "process").equals("container");
        if ((container || !RabbitProcess.isAvailable()) && Docker.isAvailable()) {
            return RabbitDocker.launch(options);
        }
        return RabbitProcess.launch(options);
    }

    /** Returns the AMQP URI with user and password; the virtual host is {@code /}. */
    String uri();

    /**
     * Returns the URI of the management API; user and password are {@code guest}.
     *
     * @throws IllegalStateException if {@link RabbitOptions#MANAGEMENT} is not enabled
     */
    URI managementUri();

    /** Declares a durable queue. Does nothing if it exists with the same arguments. */
    default void declareQueue(String name, Map<String, Object> arguments) {
        try (RabbitAdmin admin = new RabbitAdmin(uri())) {
            admin.declareQueue(name, arguments);
        }
    }

    /** Deletes the queue with its messages; the broker cancels its consumers. */
    default void deleteQueue(String name) {
        try (RabbitAdmin admin = new RabbitAdmin(uri())) {
            admin.deleteQueue(name);
        }
    }

    /** Deletes all queues with their messages. */
    default void deleteQueues() {
        deleteQueues("");
    }

    /** Deletes the queues whose names start with the prefix, with their messages, even if they are exclusive. */
    default void deleteQueues(String prefix) {
        eval("lists:foreach(fun(Q) -> rabbit_amqqueue:delete(Q, false, false, <<\"testkit\">>) end,"
                + " [Q || Q <- rabbit_amqqueue:list(),"
                + " string:prefix(element(4, amqqueue:get_name(Q)), \"" + prefix + "\") =/= nomatch])");
    }

    /**
     * Sets a policy with the name of the queue for this queue.
     *
     * @param definition as JSON
     */
    default void setPolicy(String queue, String definition) {
        evalOk("rabbit_policy:parse_set(<<\"/\">>, <<\"" + queue + "\">>, <<\"^" + queue + "$\">>, <<\""
                + definition.replace("\"", "\\\"") + "\">>, 0, <<\"queues\">>, <<\"testkit\">>)");
    }

    /** Removes the policy that {@link #setPolicy} has set. */
    default void clearPolicy(String queue) {
        evalOk("rabbit_policy:delete(<<\"/\">>, <<\"" + queue + "\">>, <<\"testkit\">>)");
    }

    /**
     * Publishes persistent messages to the queue, in order, and returns when the broker has confirmed all.
     *
     * @throws IllegalStateException if the broker refuses one, as a quorum queue may do while it has no leader
     */
    default void publish(String queue, List<byte[]> bodies) {
        try (RabbitAdmin admin = new RabbitAdmin(uri())) {
            admin.publish(queue, RabbitAdmin.PERSISTENT, bodies);
        }
    }

    /** Publishes one message with these properties, like {@link #publish(String, List)}. */
    default void publish(String queue, AMQP.BasicProperties properties, byte[] body) {
        try (RabbitAdmin admin = new RabbitAdmin(uri())) {
            admin.publish(queue, properties, List.of(body));
        }
    }

    /**
     * Returns the ready messages of the queue, in order. They stay on the queue, marked as redelivered. A quorum queue
     * counts a delivery attempt for each; poll {@link #readyMessages} instead.
     */
    default List<GetResponse> peek(String queue) {
        try (RabbitAdmin admin = new RabbitAdmin(uri())) {
            return admin.peek(queue);
        }
    }

    /** Removes and returns the ready messages of the queue, in order. */
    default List<GetResponse> consume(String queue) {
        try (RabbitAdmin admin = new RabbitAdmin(uri())) {
            return admin.consume(queue);
        }
    }

    /**
     * Returns the number of ready messages: those that are not with a consumer. A node that has just rejoined its
     * cluster may return an outdated number.
     */
    default long readyMessages(String queue) {
        try (RabbitAdmin admin = new RabbitAdmin(uri())) {
            return admin.readyMessages(queue);
        }
    }

    /**
     * Kills the broker with SIGKILL and keeps its data. RabbitMQ saves the names of quorum queues with a delay: a queue
     * that was not declared through this object is lost if it is less than a second old.
     */
    @Override
    void kill();

    /** Closes all client connections, as an operator would. */
    default void cutConnections() {
        eval("rabbit_networking:close_connections(rabbit_networking:connections_local(), \"cut by the testkit\")");
    }

    /** Raises the memory alarm: the broker blocks each connection that publishes. */
    default void raiseMemoryAlarm() {
        eval("vm_memory_monitor:set_vm_memory_high_watermark(0.0)");
        // A connection that has not noticed the alarm still accepts a message.
        String noticed = "lists:all(fun(C) -> [{state, S}] = rabbit_reader:info(C, [state]), S =/= running end,"
                + " rabbit_networking:connections_local())";
        String result = eval("(fun Wait(0) -> false; Wait(N) -> case " + noticed
                + " of true -> true; false -> timer:sleep(10), Wait(N - 1) end end)(4000)");
        if (!result.equals("true")) {
            throw new IllegalStateException("connections did not notice the memory alarm: " + result);
        }
    }

    /** Clears the memory alarm. */
    default void clearMemoryAlarm() {
        eval("vm_memory_monitor:set_vm_memory_high_watermark(0.6)");
    }

    /**
     * Returns a number that the broker keeps for a queue, or -1 if the queue does not exist.
     *
     * @param item a column of {@code rabbitmqctl list_queues}, such as {@code messages_unacknowledged} or {@code consumers}
     */
    default long queueNumber(String queue, String item) {
        return Long.parseLong(eval("case " + RabbitQueues.lookup(queue)
                + " of {ok, Q} -> [{_, Number}] = rabbit_amqqueue:info(Q, [" + item + "]), Number; _ -> -1 end"));
    }

    /**
     * Evaluates an Erlang expression whose value is {@code ok} if it succeeds.
     *
     * @throws IllegalStateException if it has another value
     */
    default void evalOk(String expression) {
        String result = eval(expression);
        if (!result.equals("ok")) {
            throw new IllegalStateException(expression + " failed: " + result);
        }
    }

    /**
     * Evaluates an Erlang expression in the broker and returns the result as text. The text is the same with each provider if the
     * result is a number or an atom.
     *
     * @param expression without the final period
     * @throws IllegalStateException if it fails
     */
    default String eval(String expression) {
        return rabbitmqctl("eval", expression + ".").strip();
    }

    /**
     * Runs {@code rabbitmqctl} for this broker and returns its output.
     *
     * @throws IllegalStateException if it fails
     */
    String rabbitmqctl(String... arguments);

    @Override
    void close();
}
