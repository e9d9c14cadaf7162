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

    /**
     * Returns "; did you mean …?" for the singular or plural of the given name, else the closest known name, else the only longer one. Returns
     * an empty string if there is none.
     */
    public static String hint(String given, Collection<String> known) {
        return sameNoun(given, known)
                .or(() -> within(Math.max(2, given.length() / 3), given, known))
                .or(() -> onlyLonger(given, known))
                .map(NearestName::question)
                .orElse("");
    }

    private static Optional<String> sameNoun(String given, Collection<String> known) {
        String singular = singular(given);
        return known.stream().filter(name -> singular(name).equals(singular)).findFirst();
    }

    private static String singular(String name) {
        return name.endsWith("ies")
                ? name.substring(0, name.length() - "ies".length()) + "y"
                : name.endsWith("s") ? name.substring(0, name.length() - 1) : name;
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
