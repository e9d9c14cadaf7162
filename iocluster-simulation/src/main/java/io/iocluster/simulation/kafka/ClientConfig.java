package io.iocluster.simulation.kafka;

import java.time.Duration;
import java.util.Map;

/** The properties of a client. Immutable. */
record ClientConfig(Map<String, Object> properties) {

    String text(String name, String otherwise) {
        Object value = properties.get(name);
        return value == null ? otherwise : String.valueOf(value);
    }

    int number(String name, int otherwise) {
        return Integer.parseInt(text(name, Integer.toString(otherwise)).trim());
    }

    boolean flag(String name, boolean otherwise) {
        return Boolean.parseBoolean(text(name, Boolean.toString(otherwise)));
    }

    Duration millis(String name, int otherwise) {
        return Duration.ofMillis(number(name, otherwise));
    }
}
