package io.iocluster.node.config.binding;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;
import org.apache.commons.text.similarity.LevenshteinDistance;

/** Finds the name that was probably meant. */
final class NearestName {

    private NearestName() {}

    /** The known name with the fewest edits to the given one, if those are no more than this. */
    static Optional<String> within(int edits, String given, Collection<String> known) {
        LevenshteinDistance distance = new LevenshteinDistance(edits);
        return known.stream()
                .filter(name -> distance.apply(given, name) >= 0)
                .min(Comparator.comparingInt(name -> distance.apply(given, name)));
    }

    /** The ending of a sentence about a name that cannot be right, whatever was meant. */
    static String hint(String given, Collection<String> known) {
        return within(Math.max(2, given.length() / 3), given, known)
                .map(NearestName::question)
                .orElse("");
    }

    /** The ending of a sentence about a name that is wrong because it is so near to another. */
    static String question(String name) {
        return "; did you mean " + name + "?";
    }
}
