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
 * Whether the broker would silently drop a request that was handed out too often: from 4.0 on a quorum queue does so after 20
 * times, unless it has a dead-letter exchange. AMQP does not say what a queue was declared with, but a declaration that differs is
 * refused with the difference, and one that does not differ changes nothing. Stateless; blocks.
 */
public final class DeliveryLimitCheck {

    private static final int SINCE = 4;
    private static final int MOST_ARGUMENTS = 12;
    private static final String DEAD_LETTERS = "x-dead-letter-exchange";
    private static final String DELIVERY_LIMIT = "x-delivery-limit";
    private static final Pattern DIFFERENCE = Pattern.compile(
            "inequivalent arg '(?<name>[^']+)' for queue .* but current is the value '(?<value>.*)' of type '(?<type>\\w+)'");

    private final RabbitSettings settings;

    public DeliveryLimitCheck(RabbitSettings settings) {
        this.settings = settings;
    }

    /**
     * Looks at the queue of requests, which exists.
     *
     * @return null if all is well, or if the broker does not let itself be asked
     * @throws IOException if it does not answer
     */
    public String warning(Connection connection) throws IOException {
        Object version = connection.getServerProperties().get("version");
        return version != null && majorVersion(version.toString()) >= SINCE && isDroppingMessages(connection)
                ? "drops a request that was handed out 20 times, for it has no " + DEAD_LETTERS
                        + " (unless a policy sets one)"
                : null;
    }

    public static int majorVersion(String version) {
        String digits = version.replaceFirst("\\D.*", "");
        return digits.isEmpty() ? 0 : Integer.parseInt(digits);
    }

    /** Whether it is a quorum queue with a limit and without a dead-letter exchange, as far as its own arguments say. */
    public boolean isDroppingMessages(Connection connection) throws IOException {
        String queue = settings.requests().queue();
        Map<String, Object> arguments = new HashMap<>(Map.of("x-queue-type", "quorum"));
        for (int round = 0; round < MOST_ARGUMENTS; round++) {
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
            if (refusal.code() != ChannelProbe.PRECONDITION_FAILED || !difference.find() || isAnswer(difference)) {
                return false;
            }
            arguments.put(difference.group("name"), value(difference));
        }
        return false;
    }

    /** Whether this difference alone says that nothing is dropped. */
    private static boolean isAnswer(Matcher difference) {
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
