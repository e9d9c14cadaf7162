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

/** Requests of providers and tests to a RabbitMQ broker, over one connection. Confined to one thread. */
final class RabbitAdmin implements AutoCloseable {

    static final AMQP.BasicProperties PERSISTENT = MessageProperties.PERSISTENT_BASIC;

    private static final int CONNECT_MS = 30_000;
    private static final int CONFIRM_MS = 60_000;
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
     * @param alive polled between attempts; the wait ends when it is false
     * @return whether the broker answers
     */
    static boolean awaitReady(String uri, Duration timeout, BooleanSupplier alive) {
        URI address = URI.create(uri);
        long end = System.nanoTime() + timeout.toNanos();
        return Polling.pollUntil(
                        end,
                        () -> !alive.getAsBoolean()
                                || (Polling.isListening(address.getHost(), address.getPort()) && answers(uri)))
                && alive.getAsBoolean();
    }

    void declareQueue(String name, Map<String, Object> arguments) {
        request("declare " + name, () -> channel.queueDeclare(name, true, false, false, arguments));
    }

    void deleteQueue(String name) {
        request("delete " + name, () -> channel.queueDelete(name));
    }

    void publish(String queue, AMQP.BasicProperties properties, List<byte[]> bodies) {
        request("publish to " + queue, () -> {
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
        return request("read " + queue, () -> {
            List<GetResponse> all = get(queue);
            if (!all.isEmpty()) {
                channel.basicNack(last(all), true, true);
                // Waits for the nack: a channel handles its methods in order.
                channel.queueDeclarePassive(queue);
            }
            return all;
        });
    }

    List<GetResponse> consume(String queue) {
        return request("consume from " + queue, () -> {
            List<GetResponse> all = get(queue);
            if (!all.isEmpty()) {
                channel.basicAck(last(all), true);
                channel.queueDeclarePassive(queue);
            }
            return all;
        });
    }

    long readyMessages(String queue) {
        return request("count " + queue, () -> channel.messageCount(queue));
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

    private static <T> T request(String action, Request<T> request) {
        try {
            return request.send();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        } catch (IOException | TimeoutException e) {
            throw new IllegalStateException("cannot " + action, e);
        }
    }

    private interface Request<T> {
        T send() throws IOException, InterruptedException, TimeoutException;
    }
}
