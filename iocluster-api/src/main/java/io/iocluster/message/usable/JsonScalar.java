package io.iocluster.message.usable;

import java.math.BigDecimal;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.io.JsonStringEncoder;
import tools.jackson.core.json.JsonFactory;

/**
 * A string, a number, true or false. Immutable.
 *
 * @param value a {@link String}, a {@link BigDecimal} or a {@link Boolean}; null for {@link #NONE}
 */
public record JsonScalar(Object value) {

    /** No value. */
    public static final JsonScalar NONE = new JsonScalar(null);

    /** Maximum length of a string or number of a rule. */
    static final int MAX_CHARS = 256;

    private static final JsonFactory JSON = new JsonFactory();

    /**
     * Parses a scalar of the configuration: a number, {@code true}, {@code false} or a quoted string as JSON writes it. All other text
     * is taken as a string; empty text is {@link #NONE}.
     */
    public static JsonScalar parse(String text) {
        if (text.isEmpty()) {
            return NONE;
        }
        try (JsonParser parser = JSON.createParser(ObjectReadContext.empty(), text)) {
            JsonScalar scalar = of(parser, parser.nextToken());
            return scalar == NONE || parser.nextToken() != null ? new JsonScalar(text) : scalar;
        } catch (JacksonException plainText) {
            return new JsonScalar(text);
        }
    }

    /** Returns the current value of the parser; {@link #NONE} if it is not a scalar, is null, or is a number out of range. */
    public static JsonScalar of(JsonParser parser, JsonToken token) {
        if (token == null) {
            return NONE;
        }
        return switch (token) {
            case VALUE_STRING -> new JsonScalar(parser.getString());
            case VALUE_TRUE -> new JsonScalar(Boolean.TRUE);
            case VALUE_FALSE -> new JsonScalar(Boolean.FALSE);
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> number(parser.getString());
            default -> NONE;
        };
    }

    private static JsonScalar number(String text) {
        try {
            return new JsonScalar(new BigDecimal(text));
        } catch (NumberFormatException outOfRange) {
            return NONE;
        }
    }

    boolean isGiven() {
        return value != null;
    }

    boolean isNumber() {
        return value instanceof BigDecimal;
    }

    /** Returns whether both have the same type and value. The numbers 1, 1.0 and 1e0 have the same value. */
    boolean isSame(JsonScalar other) {
        return value instanceof BigDecimal number && other.value instanceof BigDecimal second
                ? number.compareTo(second) == 0
                : value != null && value.equals(other.value);
    }

    /** Returns whether both are numbers and this one is less. */
    boolean isLessThan(JsonScalar other) {
        return value instanceof BigDecimal number
                && other.value instanceof BigDecimal second
                && number.compareTo(second) < 0;
    }

    int length() {
        return value == null ? 0 : value.toString().length();
    }

    /** Returns the text that {@link #parse} reads as this value. */
    @Override
    public String toString() {
        if (!(value instanceof String text)) {
            return value == null ? "" : value.toString();
        }
        return text.equals(parse(text).value)
                ? text
                : '"' + new String(JsonStringEncoder.getInstance().quoteAsCharArray(text)) + '"';
    }
}
