package io.iocluster.rabbit.replay;

import com.rabbitmq.client.Connection;
import io.iocluster.rabbit.connection.ChannelProbe;
import io.iocluster.rabbit.connection.ChannelProbe.BrokerRefusal;
import io.iocluster.rabbit.connection.ChannelProbe.ChannelOperation;
import io.iocluster.rabbit.connection.DeliveryLimitCheck;
import io.iocluster.thread.Platform;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The queues that a replay needs beside the dead-letter queue. Immutable; methods block.
 *
 * @param deadLetters the dead-letter queue
 */
record ReplayQueues(String deadLetters) {

    private static final int MAX_NAME_BYTES = 255;
    private static final long LOCK_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final Duration POLL_INTERVAL = Duration.ofMillis(100);
    private static final int RESOURCE_LOCKED = 405;

    /** Returns the queue in which replayed requests wait until their replay is recorded, and the exchange that fills it. */
    String staging() {
        return deadLetters + ".replay";
    }

    /** Returns the queue with the records of which dead letters were replayed. */
    String ledger() {
        return deadLetters + ".replayed";
    }

    /** Returns the queue that belongs to the connection of the running replay. */
    String lock() {
        return deadLetters + ".replay-lock";
    }

    /**
     * Declares the queues, and takes the lock until the connection ends. All effects of a replay pass through the connection that
     * has the lock.
     *
     * @throws IOException if another replay runs, or the broker refuses a declaration
     */
    void declareAndLock(Connection connection, Platform platform) throws IOException, InterruptedException {
        if (lock().getBytes(StandardCharsets.UTF_8).length > MAX_NAME_BYTES) {
            throw new IOException("queue " + deadLetters + ": its name is too long for a replay");
        }
        lock(connection, platform);
        Map<String, Object> arguments = new HashMap<>(Map.of("x-queue-type", "quorum"));
        if (DeliveryLimitCheck.hasDefaultLimit(connection)) {
            arguments.put("x-delivery-limit", -1);
        }
        declare(connection, ledger(), arguments);
        // Without x-dead-letter-routing-key, the queue dead-letters a message to the routing key with which it was
        // published.
        arguments.put("x-dead-letter-exchange", "");
        arguments.put("x-dead-letter-strategy", "at-least-once");
        arguments.put("x-overflow", "reject-publish");
        declare(connection, staging(), arguments);
        require(connection, "exchange " + staging(), channel -> {
            channel.exchangeDeclare(staging(), "fanout", true);
            channel.queueBind(staging(), staging(), "");
        });
    }

    private void lock(Connection connection, Platform platform) throws IOException, InterruptedException {
        long end = platform.nanos() + LOCK_NANOS;
        BrokerRefusal refusal = tryLock(connection);
        while (refusal != null && refusal.code() == RESOURCE_LOCKED && platform.nanos() < end) {
            // The broker may still have to notice that the connection of a killed replay is closed.
            platform.sleep(POLL_INTERVAL);
            refusal = tryLock(connection);
        }
        if (refusal != null) {
            throw new IOException(
                    refusal.code() == RESOURCE_LOCKED
                            ? "another replay of the queue " + deadLetters + " is running"
                            : "queue " + lock() + ": " + refusal.text());
        }
    }

    private BrokerRefusal tryLock(Connection connection) throws IOException {
        return ChannelProbe.probe(
                connection,
                channel -> channel.queueDeclare(lock(), false, true, true, Map.of("x-queue-type", "classic")));
    }

    private static void declare(Connection connection, String queue, Map<String, Object> arguments) throws IOException {
        // An existing queue may have been declared with the arguments of an older broker.
        if (ChannelProbe.probe(connection, channel -> channel.queueDeclarePassive(queue)) != null) {
            require(
                    connection,
                    "queue " + queue,
                    channel -> channel.queueDeclare(queue, true, false, false, arguments));
        }
    }

    private static void require(Connection connection, String title, ChannelOperation operation) throws IOException {
        BrokerRefusal refusal = ChannelProbe.probe(connection, operation);
        if (refusal != null) {
            throw new IOException(title + ": " + refusal.text());
        }
    }
}
