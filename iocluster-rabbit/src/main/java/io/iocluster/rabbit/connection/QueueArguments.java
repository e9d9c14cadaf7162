package io.iocluster.rabbit.connection;

import com.rabbitmq.client.Connection;
import io.iocluster.rabbit.connection.ChannelProbe.BrokerRefusal;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The arguments of an existing quorum queue. AMQP cannot read them, but the broker refuses a declaration with other arguments and
 * names the difference; an equal declaration has no effect. Policies are not visible. Immutable.
 *
 * @param found the arguments that are known
 * @param isComplete whether the queue is a quorum queue with exactly these arguments
 */
record QueueArguments(Map<String, Object> found, boolean isComplete) {

    private static final int MAX_ARGUMENTS = 12;
    private static final String TYPE = "x-queue-type";
    private static final Pattern DIFFERENCE = Pattern.compile(
            "inequivalent arg '(?<name>[^']+)' for queue .* but current is the value '(?<value>.*)' of type '(?<type>\\w+)'");

    /**
     * Asks the broker. Blocks.
     *
     * @throws IOException if the broker does not answer
     */
    static QueueArguments read(Connection connection, String queue) throws IOException {
        Map<String, Object> arguments = new HashMap<>(Map.of(TYPE, "quorum"));
        for (int round = 0; round < MAX_ARGUMENTS; round++) {
            BrokerRefusal missing = ChannelProbe.probe(connection, channel -> channel.queueDeclarePassive(queue));
            if (missing != null) {
                break;
            }
            BrokerRefusal refusal = ChannelProbe.probe(
                    connection, channel -> channel.queueDeclare(queue, true, false, false, arguments));
            if (refusal == null) {
                return new QueueArguments(arguments, true);
            }
            Matcher difference = DIFFERENCE.matcher(String.valueOf(refusal.text()));
            if (refusal.code() != ChannelProbe.PRECONDITION_FAILED
                    || !difference.find()
                    || !difference.group("name").startsWith("x-")
                    || difference.group("name").equals(TYPE)) {
                break;
            }
            arguments.put(difference.group("name"), value(difference));
        }
        return new QueueArguments(arguments, false);
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
