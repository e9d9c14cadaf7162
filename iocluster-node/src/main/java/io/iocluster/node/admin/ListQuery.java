package io.iocluster.node.admin;

import com.linecorp.armeria.common.QueryParams;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/**
 * Which entries of a long list a request asks for, so that no response grows with the number of entries that the node knows. Immutable.
 *
 * @param limit maximum number of entries
 * @param words an entry must contain each of them, in lower case
 * @param include name of an entry that is returned in any case; empty for none
 */
public record ListQuery(int limit, List<String> words, String include) {

    public static final int DEFAULT_LIMIT = 200;
    public static final int MAX_LIMIT = 1_000;

    /** Asks for the first entries. */
    public static final ListQuery DEFAULT = new ListQuery(DEFAULT_LIMIT, List.of(), "");

    public ListQuery {
        words = List.copyOf(words);
    }

    /**
     * Reads the parameters {@code limit}, {@code find} and {@code include}.
     *
     * @throws IllegalArgumentException if the limit is not from 1 to {@value #MAX_LIMIT}
     */
    public static ListQuery of(QueryParams query) {
        String limit = query.get("limit", Integer.toString(DEFAULT_LIMIT));
        if (!limit.matches("[1-9]\\d{0,3}") || Integer.parseInt(limit) > MAX_LIMIT) {
            throw new IllegalArgumentException("limit must be a number from 1 to " + MAX_LIMIT + ": " + limit);
        }
        String find = query.get("find", "").toLowerCase(Locale.ROOT).trim();
        return new ListQuery(
                Integer.parseInt(limit),
                // Each word once, because a request of thousands would search each entry for the same one.
                Arrays.stream(find.split("\\s+"))
                        .filter(word -> !word.isEmpty())
                        .distinct()
                        .toList(),
                query.get("include", ""));
    }

    /**
     * The entries to return.
     *
     * @param more number of further entries that match
     */
    public record Page<T>(List<T> entries, int more) {}

    /**
     * Returns the first entries that match.
     *
     * @param sorted all entries, in the order of the response
     * @param name returns the name of an entry
     * @param text returns the text in which the words are searched
     */
    public <T> Page<T> apply(List<T> sorted, Function<T, String> name, Function<T, String> text) {
        List<T> entries = new ArrayList<>();
        int found = 0;
        int matching = 0;
        for (T each : sorted) {
            boolean matches = words.isEmpty() || contains(text.apply(each));
            matching += matches ? 1 : 0;
            if (matches && found < limit) {
                found++;
                entries.add(each);
            } else if (name.apply(each).equals(include)) {
                entries.add(each);
            }
        }
        return new Page<>(entries, matching - found);
    }

    private boolean contains(String text) {
        String lower = text.toLowerCase(Locale.ROOT);
        return words.stream().allMatch(lower::contains);
    }
}
