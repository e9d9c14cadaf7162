package io.iocluster.cache;

import io.iocluster.message.Header;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The {@code Cache-Control} directives of a message (RFC 9111, section 5.2). If a directive is repeated, the stricter one applies.
 * Immutable.
 */
final class CacheControl {

    /** The number of seconds if the directive is missing. */
    static final long NONE = -1;

    /** The largest number of seconds (RFC 9111, section 1.2.2). */
    private static final long MAX_SECONDS = 1L << 31;

    /** Names in lower case; the value is empty for a directive without one. */
    private final Map<String, String> directives;

    private CacheControl(Map<String, String> directives) {
        this.directives = directives;
    }

    /** Reads the directives of all {@code Cache-Control} headers. */
    static CacheControl of(List<Header> headers) {
        Map<String, String> directives = new HashMap<>();
        for (Header header : headers) {
            if (header.name().equalsIgnoreCase("cache-control")) {
                parse(header.value(), directives);
            }
        }
        return new CacheControl(directives);
    }

    private static void parse(String value, Map<String, String> directives) {
        int from = 0;
        boolean quoted = false;
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c == '"') {
                quoted = !quoted;
            } else if (quoted && c == '\\') {
                i++;
            } else if (c == ',' && !quoted) {
                add(value.substring(from, i).strip(), directives);
                from = i + 1;
            }
        }
        add(value.substring(from).strip(), directives);
    }

    private static void add(String directive, Map<String, String> directives) {
        int equals = directive.indexOf('=');
        String name = (equals < 0 ? directive : directive.substring(0, equals))
                .strip()
                .toLowerCase(Locale.ROOT);
        String argument = equals < 0 ? "" : directive.substring(equals + 1).strip();
        if (argument.length() >= 2 && argument.startsWith("\"") && argument.endsWith("\"")) {
            argument = argument.substring(1, argument.length() - 1);
        }
        if (!name.isEmpty()) {
            directives.merge(name, argument, (one, other) -> parse(one) <= parse(other) ? one : other);
        }
    }

    /** Returns whether it has a directive, with or without an argument. */
    boolean has(String directive) {
        return directives.containsKey(directive);
    }

    /** Returns the seconds of a directive; {@link #NONE} if it is missing. If they are not a number, returns 0, the strictest value. */
    long seconds(String directive) {
        String argument = directives.get(directive);
        return argument == null ? NONE : parse(argument);
    }

    private static long parse(String argument) {
        long seconds = 0;
        for (int i = 0; i < argument.length(); i++) {
            char c = argument.charAt(i);
            if (c < '0' || c > '9') {
                return 0;
            }
            seconds = Math.min(MAX_SECONDS, seconds * 10 + (c - '0'));
        }
        return seconds;
    }
}
