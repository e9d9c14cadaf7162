package io.iocluster.simulation.rabbit;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.ConfirmListener;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.DefaultConsumer;
import com.rabbitmq.client.Envelope;
import io.iocluster.rabbit.connection.RabbitConnections;
import io.iocluster.testkit.simulation.SimulatedProcess;
import io.iocluster.testkit.simulation.Simulation;
import io.iocluster.testkit.simulation.Trace;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

/** A simulated broker with one client process, for tests of the broker's rules. */
final class RabbitWorld {

    static final BasicProperties PERSISTENT =
            new BasicProperties.Builder().deliveryMode(2).build();

    private static final Duration LONG = Duration.ofMinutes(2);

    final Simulation simulation;
    final SimulatedProcess process;
    final SimulatedRabbit broker;

    RabbitWorld(long seed, String version) {
        this.simulation = new Simulation(seed, Trace.hashOnly());
        this.process = new SimulatedProcess(simulation, "client");
        this.broker = new SimulatedRabbit(simulation, version);
    }

    RabbitWorld() {
        this(1, "3.13.7");
    }

    /** Runs a task that may block, on the client process, and lets some time pass. */
    <T> T run(Callable<T> task) throws Exception {
        List<T> results = new ArrayList<>();
        List<Exception> failures = new ArrayList<>();
        process.after(Duration.ZERO, () -> {
            try {
                results.add(task.call());
            } catch (Exception failed) {
                failures.add(failed);
            }
        });
        simulation.run(LONG);
        if (!failures.isEmpty()) {
            throw failures.get(0);
        }
        return results.get(0);
    }

    /** Lets the time pass. */
    void pass(Duration time) {
        simulation.run(time);
    }

    Connection connect() throws Exception {
        RabbitConnections connections = broker.connections(process, "guest");
        return run(() -> connections.open("test", connections.newLoop("test")));
    }

    Channel channel() throws Exception {
        Connection connection = connect();
        return run(connection::createChannel);
    }

    void send(String queue, String... bodies) {
        for (String body : bodies) {
            broker.publish("", queue, PERSISTENT, bytes(body));
        }
    }

    List<String> ready(String queue) {
        return broker.ready(queue).stream()
                .map(body -> new String(body, StandardCharsets.UTF_8))
                .toList();
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** A consumer that keeps what it gets. */
    static final class Recorder extends DefaultConsumer {

        final List<String> bodies = new ArrayList<>();
        final List<Envelope> envelopes = new ArrayList<>();
        final List<BasicProperties> properties = new ArrayList<>();
        boolean cancelled;

        Recorder(Channel channel) {
            super(channel);
        }

        @Override
        public void handleDelivery(String tag, Envelope envelope, BasicProperties received, byte[] body) {
            bodies.add(new String(body, StandardCharsets.UTF_8));
            envelopes.add(envelope);
            properties.add(received);
        }

        @Override
        public void handleCancel(String tag) {
            cancelled = true;
        }

        long tag(int index) {
            return envelopes.get(index).getDeliveryTag();
        }
    }

    Recorder consume(Channel channel, String queue, int prefetch) throws Exception {
        Recorder recorder = new Recorder(channel);
        run(() -> {
            channel.basicQos(prefetch);
            return channel.basicConsume(queue, false, recorder);
        });
        return recorder;
    }

    /** The confirms, returns and nacks of a channel, in their order. */
    static List<String> confirms(Channel channel) {
        List<String> events = new ArrayList<>();
        channel.addReturnListener(returned -> events.add("return " + returned.getRoutingKey()));
        channel.addConfirmListener(new ConfirmListener() {
            @Override
            public void handleAck(long number, boolean multiple) throws IOException {
                events.add("ack " + number + (multiple ? " multiple" : ""));
            }

            @Override
            public void handleNack(long number, boolean multiple) throws IOException {
                events.add("nack " + number + (multiple ? " multiple" : ""));
            }
        });
        return events;
    }
}
