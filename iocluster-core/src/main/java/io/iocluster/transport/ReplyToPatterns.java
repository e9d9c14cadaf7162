package io.iocluster.transport;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The topics or queues that a request may name for its answer. In a pattern {@code *} stands for any characters, and a placeholder such
 * as <code>{key}</code> or <code>{header:tenant}</code> for what the request itself says, which must be there. Immutable.
 */
public final class ReplyToPatterns {

    /** How the placeholder of a header begins; the header's name follows. */
    public static final String HEADER = "header:";

    private static final Pattern PLACEHOLDER = Pattern.compile("\\{([^{}]*)}");

    private final List<Pattern> fixed = new ArrayList<>();
    private final List<String> bound = new ArrayList<>();

    /** Reads patterns of which {@link #problem} says nothing. */
    public ReplyToPatterns(List<String> patterns) {
        for (String pattern : patterns) {
            if (pattern.indexOf('{') < 0) {
                fixed.add(compile(pattern, name -> null));
            } else {
                bound.add(pattern);
            }
        }
    }

    /**
     * Whether one of the patterns means this place.
     *
     * @param sender returns what the request says for a placeholder's name, null for nothing
     */
    public boolean match(String place, UnaryOperator<String> sender) {
        return fixed.stream().anyMatch(pattern -> pattern.matcher(place).matches())
                || bound.stream().anyMatch(pattern -> {
                    Pattern compiled = compile(pattern, sender);
                    return compiled != null && compiled.matcher(place).matches();
                });
    }

    /** Returns null if the request does not say what a placeholder stands for. */
    private static Pattern compile(String pattern, UnaryOperator<String> sender) {
        StringBuilder regex = new StringBuilder();
        Matcher placeholder = PLACEHOLDER.matcher(pattern);
        int from = 0;
        while (placeholder.find()) {
            String value = sender.apply(placeholder.group(1));
            if (value == null || value.isBlank()) {
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
     * @param names those that the transport knows, besides {@code header:NAME}
     */
    public static String problem(String pattern, Set<String> names) {
        Matcher placeholder = PLACEHOLDER.matcher(pattern);
        while (placeholder.find()) {
            String name = placeholder.group(1);
            boolean header = name.startsWith(HEADER) && name.length() > HEADER.length();
            if (!header && !names.contains(name)) {
                return "has an unknown placeholder {" + name + "}; there are {header:NAME} and " + names;
            }
        }
        return withoutPlaceholders(pattern).matches(".*[{}].*") ? "has a brace that is part of no placeholder" : null;
    }

    /** Returns the pattern with an {@code x} in place of each placeholder. */
    public static String withoutPlaceholders(String pattern) {
        return PLACEHOLDER.matcher(pattern).replaceAll("x");
    }
}
