package io.iocluster.rabbit.replay;

import java.nio.charset.StandardCharsets;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Turns the values of AMQP headers into text. Equal values have equal texts. Stateless. */
final class HeaderText {

    private HeaderText() {}

    @SuppressWarnings("JavaUtilDate") // The client's API uses Date.
    static String of(Object value) {
        if (value instanceof byte[] bytes) {
            return new String(bytes, StandardCharsets.UTF_8);
        }
        if (value instanceof Date date) {
            return date.toInstant().toString();
        }
        if (value instanceof List<?> list) {
            return list.stream().map(HeaderText::of).collect(Collectors.joining(", ", "[", "]"));
        }
        if (value instanceof Map<?, ?> table) {
            Map<String, String> sorted = new TreeMap<>();
            table.forEach((name, each) -> sorted.put(String.valueOf(name), of(each)));
            return sorted.toString();
        }
        return String.valueOf(value);
    }
}
