package io.iocluster.rabbit.connection;

import com.rabbitmq.client.Connection;
import io.iocluster.rabbit.config.RabbitSettings;
import java.io.IOException;

/**
 * Checks whether the broker would silently drop a message that was delivered too often. From RabbitMQ 4.0 on a quorum queue does so
 * after 20 deliveries, unless it has a dead-letter exchange. Immutable; blocks.
 */
public final class DeliveryLimitCheck {

    private static final int FIRST_MAJOR_VERSION = 4;
    private static final long DEFAULT_LIMIT = 20;
    private static final String DEAD_LETTERS = "x-dead-letter-exchange";
    private static final String DELIVERY_LIMIT = "x-delivery-limit";

    private final RabbitSettings settings;

    public DeliveryLimitCheck(RabbitSettings settings) {
        this.settings = settings;
    }

    /**
     * Checks the request queue, which must exist.
     *
     * @return null if the queue drops nothing or the broker refuses the check
     * @throws IOException if the broker does not answer
     */
    public String warning(Connection connection) throws IOException {
        return hasDefaultLimit(connection) && isDroppingMessages(connection)
                ? "the broker drops a request after 20 deliveries because the queue has no " + DEAD_LETTERS
                        + " (unless a policy sets one)"
                : null;
    }

    /** Returns whether the broker limits the deliveries of a quorum queue that is declared without a limit. */
    public static boolean hasDefaultLimit(Connection connection) {
        Object version = connection.getServerProperties().get("version");
        return version != null && majorVersion(version.toString()) >= FIRST_MAJOR_VERSION;
    }

    public static int majorVersion(String version) {
        String digits = version.replaceFirst("\\D.*", "");
        return digits.isEmpty() ? 0 : Integer.parseInt(digits);
    }

    /**
     * Returns the delivery limit of the queue if it is a quorum queue: that of its arguments, else the broker's default. A policy is
     * not visible.
     *
     * @return -1 if there is no limit
     * @throws IOException if the broker does not answer
     */
    public static long deliveryLimit(Connection connection, String queue) throws IOException {
        Object limit = QueueArguments.read(connection, queue).found().get(DELIVERY_LIMIT);
        if (limit instanceof Long own) {
            return Math.max(-1, own);
        }
        return hasDefaultLimit(connection) ? DEFAULT_LIMIT : -1;
    }

    /** Returns whether the queue's arguments make it a quorum queue with a delivery limit and no dead-letter exchange. */
    public boolean isDroppingMessages(Connection connection) throws IOException {
        QueueArguments arguments =
                QueueArguments.read(connection, settings.requests().queue());
        return arguments.isComplete()
                && !arguments.found().containsKey(DEAD_LETTERS)
                && !(arguments.found().get(DELIVERY_LIMIT) instanceof Long limit && limit < 0);
    }
}
