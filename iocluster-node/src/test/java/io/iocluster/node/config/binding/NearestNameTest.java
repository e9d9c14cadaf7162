package io.iocluster.node.config.binding;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class NearestNameTest {

    private static final List<String> KNOWN = List.of("threads", "treasure", "max-in-flight");

    @Test
    void suggestsTheNameWithTheFewestEdits() {
        assertThat(NearestName.hint("treads", KNOWN)).isEqualTo("; did you mean threads?");
        assertThat(NearestName.hint("maxInFlight", KNOWN)).isEmpty();
        assertThat(NearestName.hint("max-inflight", KNOWN)).isEqualTo("; did you mean max-in-flight?");
    }

    @Test
    void prefersTheSingularAndThePluralToNamesWithFewerEdits() {
        assertThat(NearestName.hint("retries", List.of("metrics", "retry"))).isEqualTo("; did you mean retry?");
        assertThat(NearestName.hint("entry", List.of("entity", "entries"))).isEqualTo("; did you mean entries?");
    }

    @Test
    void findsNoNameBeyondTheMaximumDistance() {
        assertThat(NearestName.within(2, "thraeds", KNOWN)).contains("threads");
        assertThat(NearestName.within(1, "thraeds", KNOWN)).isEmpty();
    }

    @Test
    void suggestsTheOnlyNameThatBeginsWithTheGivenOne() {
        assertThat(NearestName.hint("comple", List.of("check", "completion", "destination", "destinations")))
                .isEqualTo("; did you mean completion?");
        assertThat(NearestName.hint("desti", List.of("check", "completion", "destination", "destinations")))
                .isEmpty();
    }
}
