package io.iocluster.rabbit.connection;

import com.rabbitmq.client.Connection;
import io.iocluster.rabbit.config.RabbitSettings;
import io.iocluster.rabbit.connection.ChannelProbe.BrokerRefusal;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Checks whether the broker would silently drop a request that was delivered too often. From RabbitMQ 4.0 on a quorum queue does
 * so after 20 deliveries, unless it has a dead-letter exchange. AMQP cannot read the arguments of a queue, but the broker refuses a
 * declaration with other arguments and names the difference; an equal declaration has no effect. Immutable; blocks.
 */
public final class DeliveryLimitCheck {

    private static final int FIRST_MAJOR_VERSION = 4;
    private static final int MAX_ARGUMENTS = 12;
    private static final String DEAD_LETTERS = "x-dead-letter-exchange";
    private static final String DELIVERY_LIMIT = "x-delivery-limit";
    private static final Pattern DIFFERENCE = Pattern.compile(
            "inequivalent arg '(?<name>[^']+)' for queue .* but current is the value '(?<value>.*)' of type '(?<type>\\w+)'");

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
        Object version = connection.getServerProperties().get("version");
        return version != null
                        && majorVersion(version.toString()) >= FIRST_MAJOR_VERSION
                        && isDroppingMessages(connection)
                ? "the broker drops a request after 20 deliveries because the queue has no " + DEAD_LETTERS
                        + " (unless a policy sets one)"
                : null;
    }

    public static int majorVersion(String version) {
        String digits = version.replaceFirst("\\D.*", "");
        return digits.isEmpty() ? 0 : Integer.parseInt(digits);
    }

    /** Returns whether the queue's arguments make it a quorum queue with a delivery limit and no dead-letter exchange. */
    public boolean isDroppingMessages(Connection connection) throws IOException {
        String queue = settings.requests().queue();
        Map<String, Object> arguments = new HashMap<>(Map.of("x-queue-type", "quorum"));
        for (int round = 0; round < MAX_ARGUMENTS; round++) {
            BrokerRefusal missing = ChannelProbe.probe(connection, channel -> channel.queueDeclarePassive(queue));
            if (missing != null) {
                return false;
            }
            BrokerRefusal refusal = ChannelProbe.probe(
                    connection, channel -> channel.queueDeclare(queue, true, false, false, arguments));
            if (refusal == null) {
                return true;
            }
            Matcher difference = DIFFERENCE.matcher(String.valueOf(refusal.text()));
            if (refusal.code() != ChannelProbe.PRECONDITION_FAILED
                    || !difference.find()
                    || excludesDropping(difference)) {
                return false;
            }
            arguments.put(difference.group("name"), value(difference));
        }
        return false;
    }

    /** Returns whether this difference alone proves that the queue drops nothing. */
    private static boolean excludesDropping(Matcher difference) {
        String name = difference.group("name");
        return !name.startsWith("x-")
                || name.equals("x-queue-type")
                || name.equals(DEAD_LETTERS)
                || (name.equals(DELIVERY_LIMIT) && difference.group("value").startsWith("-"));
    }

    private static Object value(Matcher difference) {
        String text = difference.group("value");
        return switch (difference.group("type")) {
            case "longstr" -> text;
            case "bool" -> Boolean.valueOf(text);
            default -> text.matches("-?\\d{1,18}") ? (Object) Long.valueOf(text) : text;
        };
    }
}
