package io.iocluster.transport;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Patterns of the topics or queues that a request may name for its answer. In a pattern {@code *} matches any
 * characters. A placeholder such as <code>{key}</code> or <code>{header:tenant}</code> is replaced by a value of the
 * request, which must be present. Immutable.
 */
public final class ReplyToPatterns {

    /** The prefix of a header placeholder; the header's name follows. */
    public static final String HEADER_PLACEHOLDER_PREFIX = "header:";

    /** Maximum length of a topic or queue name. */
    private static final int MAX_NAME_CHARS = 255;

    private static final Pattern PLACEHOLDER = Pattern.compile("\\{([^{}]*)}");

    private final List<Pattern> constant = new ArrayList<>();
    private final List<String> withPlaceholders = new ArrayList<>();

    /** Compiles patterns for which {@link #problem} returns null. */
    public ReplyToPatterns(List<String> patterns) {
        for (String pattern : patterns) {
            if (pattern.indexOf('{') < 0) {
                constant.add(compile(pattern, name -> null));
            } else {
                withPlaceholders.add(pattern);
            }
        }
    }

    /**
     * Returns whether one of the patterns matches this topic or queue name.
     *
     * @param values returns the request's value for a placeholder's name, or null
     */
    public boolean matches(String replyTo, UnaryOperator<String> values) {
        return constant.stream().anyMatch(pattern -> pattern.matcher(replyTo).matches())
                || withPlaceholders.stream().anyMatch(pattern -> {
                    Pattern compiled = compile(pattern, values);
                    return compiled != null && compiled.matcher(replyTo).matches();
                });
    }

    /** Returns null if the request has no value for a placeholder, or one that is too long for a name. */
    private static Pattern compile(String pattern, UnaryOperator<String> values) {
        StringBuilder regex = new StringBuilder();
        Matcher placeholder = PLACEHOLDER.matcher(pattern);
        int from = 0;
        while (placeholder.find()) {
            String value = values.apply(placeholder.group(1));
            if (value == null || value.isBlank() || value.length() > MAX_NAME_CHARS) {
                return null;
            }
            appendGlob(regex, pattern.substring(from, placeholder.start()));
            regex.append(Pattern.quote(value));
            from = placeholder.end();
        }
        appendGlob(regex, pattern.substring(from));
        return Pattern.compile(regex.toString(), Pattern.DOTALL);
    }

    private static void appendGlob(StringBuilder regex, String glob) {
        String[] parts = glob.split("\\*", -1);
        for (int i = 0; i < parts.length; i++) {
            regex.append(i == 0 ? "" : ".*").append(Pattern.quote(parts[i]));
        }
    }

    /**
     * Returns what is wrong with the placeholders of a pattern, or null.
     *
     * @param names the placeholders that the transport supports, in addition to {@code header:NAME}
     */
    public static String problem(String pattern, Set<String> names) {
        Matcher placeholder = PLACEHOLDER.matcher(pattern);
        while (placeholder.find()) {
            String name = placeholder.group(1);
            boolean header =
                    name.startsWith(HEADER_PLACEHOLDER_PREFIX) && name.length() > HEADER_PLACEHOLDER_PREFIX.length();
            if (!header && !names.contains(name)) {
                return "has an unknown placeholder {" + name + "}; use {header:NAME} or " + names;
            }
        }
        return withoutPlaceholders(pattern).matches(".*[{}].*") ? "has a brace outside a placeholder" : null;
    }

    /** Returns the pattern with an {@code x} in place of each placeholder. */
    public static String withoutPlaceholders(String pattern) {
        return PLACEHOLDER.matcher(pattern).replaceAll("x");
    }
}
