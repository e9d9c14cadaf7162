package io.iocluster.node.config;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;
import org.apache.commons.text.similarity.LevenshteinDistance;

/** Finds the name that was probably meant. */
final class NearestName {

    private NearestName() {}

    /** The known name with the fewest edits to the given one, if those are no more than a typo's worth. */
    static Optional<String> of(String given, Collection<String> known) {
        LevenshteinDistance distance = new LevenshteinDistance(Math.max(2, given.length() / 3));
        return known.stream()
                .filter(name -> distance.apply(given, name) >= 0)
                .min(Comparator.comparingInt(name -> distance.apply(given, name)));
    }

    /** The ending of a sentence about an unknown name. */
    static String hint(String given, Collection<String> known) {
        return of(given, known).map(name -> "; did you mean " + name + "?").orElse("");
    }
}
