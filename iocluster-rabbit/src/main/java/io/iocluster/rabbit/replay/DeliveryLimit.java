package io.iocluster.rabbit.replay;

import com.rabbitmq.client.Connection;
import io.iocluster.rabbit.connection.DeliveryLimitCheck;
import io.iocluster.rabbit.sink.OutgoingProperties;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Prevents a quorum queue from dropping dead letters because they were read too often. From RabbitMQ 4.0 on a queue drops a message
 * after 20 deliveries, and until 4.3 each time that it is read counts. A message near the limit moves to the end of its queue as a
 * new message, and the original stays beside it if that is interrupted. Confined to one thread; methods block.
 */
final class DeliveryLimit implements AutoCloseable {

    private static final int MAX_MARGIN = 5;

    private final Connection connection;
    private final String queue;
    private final Duration confirmTimeout;
    private final long threshold;
    private final List<Letter> renewing = new ArrayList<>();
    private ConfirmChannel channel;

    DeliveryLimit(Connection connection, String queue, Duration confirmTimeout) throws IOException {
        this.connection = connection;
        this.queue = queue;
        this.confirmTimeout = confirmTimeout;
        long limit = DeliveryLimitCheck.deliveryLimit(connection, queue);
        // The broker drops a message if its count exceeds the limit when it returns. A killed command returns it too.
        this.threshold = limit < 0 ? Long.MAX_VALUE : limit - Math.min(MAX_MARGIN, limit / 2);
    }

    /** Publishes the letter at the end of its queue if it has few deliveries left. */
    void renewIfNear(Letter letter) throws IOException {
        Message message = letter.message();
        if (message.countedDeliveries() >= threshold) {
            if (channel == null) {
                channel = new ConfirmChannel(connection, confirmTimeout);
            }
            channel.publish("", queue, OutgoingProperties.renewed(message.properties()), message.body());
            renewing.add(letter);
        }
    }

    /** Returns the renewed letters of which the new copy is confirmed, to be removed. */
    List<Letter> renewed() throws IOException, InterruptedException {
        if (renewing.isEmpty()) {
            return List.of();
        }
        channel.awaitConfirms();
        List<Letter> confirmed = List.copyOf(renewing);
        renewing.clear();
        return confirmed;
    }

    @Override
    public void close() {
        if (channel != null) {
            channel.close();
        }
    }
}
