package io.iocluster.node.config.binding;

import io.iocluster.settings.ConnectionUri;
import io.iocluster.settings.DataSize;
import io.iocluster.settings.DurationText;
import io.iocluster.settings.Rate;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;

/** The text form of every scalar type that a setting may have, both ways. */
final class ScalarFormat {

    private ScalarFormat() {}

    /**
     * Reads a scalar.
     *
     * @throws IllegalArgumentException whose message goes on from the key's name: "must be a whole number: abc"
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
            return worded(() -> DurationText.parse(text));
        }
        if (type == DataSize.class) {
            return worded(() -> DataSize.parse(text));
        }
        if (type == Rate.class) {
            return worded(() -> Rate.parse(text));
        }
        if (type == ConnectionUri.class) {
            return worded(() -> ConnectionUri.parse(text));
        }
        if (type.isEnum()) {
            return constant(type, text);
        }
        throw new IllegalStateException("no setting can be of " + type);
    }

    /** Writes a scalar as it would be in YAML. */
    static String format(Object value) {
        if (value instanceof Duration duration) {
            return DurationText.format(duration);
        }
        return value instanceof Enum<?> constant ? word(constant) : value.toString();
    }

    /** The words that a setting of an enum type takes. */
    static List<String> words(Class<?> type) {
        return Arrays.stream(type.getEnumConstants())
                .map(constant -> word((Enum<?>) constant))
                .toList();
    }

    private static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private static long number(String text, long least, long most) {
        try {
            long number = Long.parseLong(text.trim());
            if (number >= least && number <= most) {
                return number;
            }
        } catch (NumberFormatException notANumber) {
            throw new IllegalArgumentException("must be a whole number: " + text, notANumber);
        }
        throw new IllegalArgumentException("must be from " + least + " to " + most + ": " + text);
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

    private static Object worded(Supplier<Object> parse) {
        try {
            return parse.get();
        } catch (IllegalArgumentException wrong) {
            throw new IllegalArgumentException("is " + wrong.getMessage(), wrong);
        }
    }
}
