package io.iocluster.lab.bench.broker;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import java.io.IOException;
import java.net.URI;
import java.security.GeneralSecurityException;
import java.util.concurrent.TimeoutException;

/** A channel with its own connection. Confined to one thread. */
final class RabbitBenchChannel implements AutoCloseable {

    private static final int CLOSE_MILLIS = 2_000;

    private final Connection connection;
    private final Channel channel;

    RabbitBenchChannel(String uri) {
        try {
            ConnectionFactory factory = new ConnectionFactory();
            factory.setUri(URI.create(uri));
            factory.setAutomaticRecoveryEnabled(false);
            connection = factory.newConnection("bench");
            channel = connection.createChannel();
        } catch (IOException | TimeoutException | GeneralSecurityException e) {
            throw new IllegalStateException("cannot connect to the broker", e);
        }
    }

    /** Runs a callback with the channel. */
    <T> T execute(ChannelCallback<T> use) {
        try {
            return use.apply(channel);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        } catch (IOException e) {
            throw new IllegalStateException("lost the connection to the broker", e);
        }
    }

    @Override
    public void close() {
        connection.abort(CLOSE_MILLIS);
    }

    interface ChannelCallback<T> {
        T apply(Channel channel) throws IOException, InterruptedException;
    }
}
