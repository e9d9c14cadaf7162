package io.iocluster.testkit.rabbit;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.GetResponse;
import com.rabbitmq.client.MessageProperties;
import io.iocluster.testkit.broker.Polling;
import java.io.IOException;
import java.net.URI;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;

/** The few questions to a RabbitMQ that the providers and tests ask, over one connection. Used by one thread. */
final class RabbitAdmin implements AutoCloseable {

    static final AMQP.BasicProperties PERSISTENT = MessageProperties.PERSISTENT_BASIC;

    private static final int CONNECT_MS = 5_000;
    private static final int CONFIRM_MS = 30_000;
    private static final int CLOSE_MS = 2_000;

    private final Connection connection;
    private final Channel channel;

    RabbitAdmin(String uri) {
        try {
            connection = connect(uri);
            channel = connection.createChannel();
        } catch (IOException | TimeoutException e) {
            throw new IllegalStateException("cannot connect to " + uri, e);
        }
    }

    /**
     * Waits until the broker answers.
     *
     * @param alive asked between attempts; once false, waiting ends
     * @return whether it answers
     */
    static boolean awaitReady(String uri, Duration within, BooleanSupplier alive) {
        URI address = URI.create(uri);
        long end = System.nanoTime() + within.toNanos();
        return Polling.pollUntil(
                        end,
                        () -> !alive.getAsBoolean()
                                || (Polling.isListening(address.getHost(), address.getPort()) && answers(uri)))
                && alive.getAsBoolean();
    }

    void declareQueue(String name, Map<String, Object> arguments) {
        ask("declare " + name, () -> channel.queueDeclare(name, true, false, false, arguments));
    }

    void deleteQueue(String name) {
        ask("delete " + name, () -> channel.queueDelete(name));
    }

    void publish(String queue, AMQP.BasicProperties properties, List<byte[]> bodies) {
        ask("publish to " + queue, () -> {
            channel.queueDeclarePassive(queue);
            channel.confirmSelect();
            for (byte[] body : bodies) {
                channel.basicPublish("", queue, true, properties, body);
            }
            if (!channel.waitForConfirms(CONFIRM_MS)) {
                throw new IllegalStateException("the broker refused messages to " + queue);
            }
            return bodies.size();
        });
    }

    List<GetResponse> peek(String queue) {
        return ask("read " + queue, () -> {
            List<GetResponse> all = get(queue);
            if (!all.isEmpty()) {
                channel.basicNack(last(all), true, true);
                // Answered only after the nack was heeded, on the same channel.
                channel.queueDeclarePassive(queue);
            }
            return all;
        });
    }

    List<GetResponse> consume(String queue) {
        return ask("take from " + queue, () -> {
            List<GetResponse> all = get(queue);
            if (!all.isEmpty()) {
                channel.basicAck(last(all), true);
                channel.queueDeclarePassive(queue);
            }
            return all;
        });
    }

    long readyMessages(String queue) {
        return ask("count " + queue, () -> channel.messageCount(queue));
    }

    @Override
    public void close() {
        connection.abort(CLOSE_MS);
    }

    private List<GetResponse> get(String queue) throws IOException {
        List<GetResponse> all = new ArrayList<>();
        for (GetResponse next = channel.basicGet(queue, false); next != null; next = channel.basicGet(queue, false)) {
            all.add(next);
        }
        return all;
    }

    private static long last(List<GetResponse> all) {
        return all.get(all.size() - 1).getEnvelope().getDeliveryTag();
    }

    private static boolean answers(String uri) {
        try (Connection connection = connect(uri)) {
            return connection.isOpen();
        } catch (IOException | TimeoutException e) {
            return false;
        }
    }

    private static Connection connect(String uri) throws IOException, TimeoutException {
        ConnectionFactory factory = new ConnectionFactory();
        try {
            factory.setUri(URI.create(uri));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
        factory.setAutomaticRecoveryEnabled(false);
        factory.setConnectionTimeout(CONNECT_MS);
        factory.setHandshakeTimeout(CONNECT_MS);
        return factory.newConnection("testkit");
    }

    private static <T> T ask(String what, Question<T> question) {
        try {
            return question.ask();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        } catch (IOException | TimeoutException e) {
            throw new IllegalStateException("cannot " + what, e);
        }
    }

    private interface Question<T> {
        T ask() throws IOException, InterruptedException, TimeoutException;
    }
}
