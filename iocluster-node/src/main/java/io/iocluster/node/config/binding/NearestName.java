package io.iocluster.node.config.binding;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.apache.commons.text.similarity.LevenshteinDistance;

/** Suggests the known name closest to a wrong one. */
public final class NearestName {

    private static final int MIN_PREFIX = 3;

    private NearestName() {}

    /** Returns the known name with the smallest edit distance to the given one, if it is at most {@code edits}. */
    static Optional<String> within(int edits, String given, Collection<String> known) {
        LevenshteinDistance distance = new LevenshteinDistance(edits);
        return known.stream()
                .filter(name -> distance.apply(given, name) >= 0)
                .min(Comparator.comparingInt(name -> distance.apply(given, name)));
    }

    /** Returns "; did you mean …?" for the closest known name or the only longer one, or an empty string if there is none. */
    public static String hint(String given, Collection<String> known) {
        return within(Math.max(2, given.length() / 3), given, known)
                .or(() -> onlyLonger(given, known))
                .map(NearestName::question)
                .orElse("");
    }

    private static Optional<String> onlyLonger(String given, Collection<String> known) {
        List<String> longer = given.length() < MIN_PREFIX
                ? List.of()
                : known.stream().filter(name -> name.startsWith(given)).toList();
        return longer.size() == 1 ? Optional.of(longer.get(0)) : Optional.empty();
    }

    /** Returns the suggestion of a name as the end of an error message. */
    static String question(String name) {
        return "; did you mean " + name + "?";
    }
}
