package io.iocluster.node.cli.admin;

import java.util.Locale;
import tools.jackson.core.json.JsonWriteFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Reads fields of a node's responses as text for people. A field that is missing or null is a dash. */
public final class JsonText {

    private static final String NONE = "-";
    private static final JsonMapper ASCII =
            JsonMapper.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();

    private JsonText() {}

    /** Returns the JSON in one line of ASCII, so that a terminal runs no control sequence in it. Its values are unchanged. */
    public static String line(JsonNode json) {
        return ASCII.writeValueAsString(json);
    }

    /** Returns a field as text. */
    public static String text(JsonNode json, String field) {
        JsonNode value = json.path(field);
        return value.isMissingNode() || value.isNull() ? NONE : value.asString("");
    }

    /** Returns a whole number. */
    public static String number(JsonNode json, String field) {
        JsonNode value = json.path(field);
        return value.isNumber() ? Long.toString(value.asLong()) : NONE;
    }

    /** Returns a time in milliseconds in the largest fitting unit. */
    public static String millis(JsonNode json, String field) {
        JsonNode value = json.path(field);
        return value.isNumber() ? millis(value.asDouble()) : NONE;
    }

    /** Returns a duration in the largest fitting unit. */
    public static String millis(double millis) {
        if (millis < 1) {
            return String.format(Locale.ROOT, "%.1fms", millis);
        }
        return millis < 1_000 ? Math.round(millis) + "ms" : seconds(Math.round(millis / 1_000));
    }

    /** Returns a duration in its two largest units. */
    public static String seconds(long seconds) {
        if (seconds < 60) {
            return seconds + "s";
        }
        if (seconds < 3_600) {
            return seconds / 60 + "m" + seconds % 60 + "s";
        }
        return seconds < 86_400
                ? seconds / 3_600 + "h" + seconds % 3_600 / 60 + "m"
                : seconds / 86_400 + "d" + seconds % 86_400 / 3_600 + "h";
    }
}
