package io.iocluster.node.config.binding;

import io.iocluster.hedge.HedgeDelay;
import io.iocluster.message.usable.JsonCondition;
import io.iocluster.message.usable.JsonScalar;
import io.iocluster.settings.ConnectionUri;
import io.iocluster.settings.DataSize;
import io.iocluster.settings.DurationText;
import io.iocluster.settings.Rate;
import io.iocluster.settings.StatusPattern;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import tools.jackson.core.JsonPointer;

/** Parses and formats every scalar type that a setting may have. */
final class ScalarFormat {

    private ScalarFormat() {}

    /**
     * Parses a scalar.
     *
     * @throws IllegalArgumentException if the text is invalid; the message continues a sentence that starts with the
     *     key's name:
     *     "must be a whole number: abc"
     */
    static Object parse(Class<?> type, String text) {
        if (type == String.class) {
            return text;
        }
        if (type == int.class || type == Integer.class) {
            return Math.toIntExact(number(text, Integer.MIN_VALUE, Integer.MAX_VALUE));
        }
        if (type == long.class || type == Long.class) {
            return number(text, Long.MIN_VALUE, Long.MAX_VALUE);
        }
        if (type == double.class || type == Double.class) {
            return decimal(text);
        }
        if (type == boolean.class || type == Boolean.class) {
            return flag(text);
        }
        if (type == Duration.class) {
            return withVerb(() -> DurationText.parse(text));
        }
        if (type == DataSize.class) {
            return withVerb(() -> DataSize.parse(text));
        }
        if (type == Rate.class) {
            return withVerb(() -> Rate.parse(text));
        }
        if (type == StatusPattern.class) {
            return withVerb(() -> StatusPattern.parse(text));
        }
        if (type == HedgeDelay.class) {
            return withVerb(() -> HedgeDelay.parse(text));
        }
        if (type == JsonPointer.class) {
            return JsonCondition.parsePointer(text);
        }
        if (type == JsonScalar.class) {
            return JsonScalar.parse(text);
        }
        if (type == ConnectionUri.class) {
            return withVerb(() -> ConnectionUri.parse(text));
        }
        if (type.isEnum()) {
            return constant(type, text);
        }
        throw new IllegalStateException("unsupported type of a setting: " + type);
    }

    /** Returns the text of a scalar as YAML contains it. */
    static String format(Object value) {
        if (value instanceof Duration duration) {
            return DurationText.format(duration);
        }
        return value instanceof Enum<?> constant ? word(constant) : value.toString();
    }

    /** Returns the words that a setting of an enum type accepts. */
    static List<String> words(Class<?> type) {
        return Arrays.stream(type.getEnumConstants())
                .map(constant -> word((Enum<?>) constant))
                .toList();
    }

    private static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private static long number(String text, long min, long max) {
        try {
            long number = Long.parseLong(text.trim());
            if (number >= min && number <= max) {
                return number;
            }
        } catch (NumberFormatException notANumber) {
            throw new IllegalArgumentException("must be a whole number: " + text, notANumber);
        }
        throw new IllegalArgumentException("must be from " + min + " to " + max + ": " + text);
    }

    private static double decimal(String text) {
        try {
            double number = Double.parseDouble(text.trim());
            if (Double.isFinite(number)) {
                return number;
            }
        } catch (NumberFormatException notANumber) {
            throw new IllegalArgumentException("must be a number: " + text, notANumber);
        }
        throw new IllegalArgumentException("must be a number: " + text);
    }

    private static boolean flag(String text) {
        return switch (text.trim()) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new IllegalArgumentException("must be true or false: " + text);
        };
    }

    private static Object constant(Class<?> type, String text) {
        List<String> words = words(type);
        int index = words.indexOf(text.trim());
        if (index < 0) {
            String choice = String.join(", ", words);
            throw new IllegalArgumentException("must be one of " + choice + ": " + text);
        }
        return type.getEnumConstants()[index];
    }

    private static Object withVerb(Supplier<Object> parse) {
        try {
            return parse.get();
        } catch (IllegalArgumentException wrong) {
            throw new IllegalArgumentException("is " + wrong.getMessage(), wrong);
        }
    }
}
