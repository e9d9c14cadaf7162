package io.iocluster.simulation.rabbit;

import com.rabbitmq.client.LongString;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a queue was declared with. Immutable.
 *
 * @param owner the connection of an exclusive queue; null for other queues
 * @param arguments the optional arguments, sorted by name
 */
record QueueOptions(boolean durable, ServerConnection owner, boolean autoDelete, Map<String, Object> arguments) {

    QueueOptions {
        Map<String, Object> sorted = new TreeMap<>();
        if (arguments != null) {
            arguments.forEach(
                    (name, value) -> sorted.put(name, value instanceof LongString text ? text.toString() : value));
        }
        arguments = sorted;
    }

    boolean isQuorum() {
        return "quorum".equals(arguments.get("x-queue-type"));
    }

    String text(String argument) {
        return (String) arguments.get(argument);
    }

    /** Returns -1 if the argument is missing. */
    long number(String argument) {
        return arguments.get(argument) instanceof Number value ? value.longValue() : -1;
    }

    boolean isAtLeastOnce() {
        return isQuorum() && "at-least-once".equals(text("x-dead-letter-strategy"));
    }

    boolean rejectsPublishes() {
        return String.valueOf(text("x-overflow")).startsWith("reject-publish");
    }

    /** Returns how the other declaration differs, in the words of the broker; null if it does not. */
    String difference(QueueOptions other, String queue) {
        if (durable != other.durable) {
            return "inequivalent arg 'durable' for queue '" + queue + "' in vhost '/': received '" + other.durable
                    + "' but current is '" + durable + "'";
        }
        Map<String, Object> names = new TreeMap<>(arguments);
        names.putAll(other.arguments);
        for (String name : names.keySet()) {
            Object current = arguments.get(name);
            Object received = other.arguments.get(name);
            boolean sameType = name.equals("x-queue-type") && isQuorum() == other.isQuorum();
            if (!sameType && !String.valueOf(current).equals(String.valueOf(received))) {
                return "inequivalent arg '" + name + "' for queue '" + queue + "' in vhost '/': received "
                        + described(received) + " but current is " + described(current);
            }
        }
        return null;
    }

    private static String described(Object value) {
        if (value == null) {
            return "none";
        }
        String type = value instanceof String ? "longstr" : value instanceof Boolean ? "bool" : "signedint";
        return "the value '" + value + "' of type '" + type + "'";
    }
}
