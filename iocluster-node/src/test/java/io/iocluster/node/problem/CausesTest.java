package io.iocluster.node.problem;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.node.problem.Problem.Kind;
import io.iocluster.node.problem.Problem.Severity;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CausesTest {

    /** Pairs of problems, as kind@subject, of a node whose calls are mostly for the destination busy; and those that are reported. */
    @ParameterizedTest
    @CsvSource(nullValues = "-", textBlock = """
            destination-failing@a,    calls-not-made@a,      destination-failing@a
            destination-failing@a,    calls-not-made@b,      calls-not-made@b destination-failing@a
            destination-failing@busy, calls-not-made@b,      destination-failing@busy
            destination-slow@busy,    node-too-small@-,      destination-slow@busy
            destination-slow@a,       node-too-small@-,      destination-slow@a node-too-small@-
            destination-failing@a,    destination-slow@a,    destination-failing@a
            node-too-small@-,         calls-not-made@a,      node-too-small@-
            app-dominates@shop,       node-too-small@-,      app-dominates@shop
            broker-unreachable@k,     answers-not-published@topic, broker-unreachable@k
            answers-not-published@topic, dead-letters@-,     answers-not-published@topic dead-letters@-
            destination-paused@a,     calls-not-made@a,      destination-paused@a
            calls-not-made@a,         calls-not-made@b,      calls-not-made@a calls-not-made@b
            """)
    void reportsOnlyCauses(String first, String second, String reported) {
        List<Problem> all = List.of(problem(second), problem(first));

        assertThat(Causes.withConsequences(all, Set.of("busy")))
                .extracting(
                        each -> each.kind().wireName() + "@" + (each.subject().isEmpty() ? "-" : each.subject()))
                .containsExactlyInAnyOrder(reported.split(" "));
    }

    @Test
    void aCauseNamesItsConsequencesAndIsAsSevereAsTheWorst() {
        Problem slots = new Problem(Kind.NODE_TOO_SMALL, Severity.WARN, "", "Too few slots.", "Raise them.");
        Problem expired = new Problem(Kind.CALLS_NOT_MADE, Severity.BAD, "a", "30 calls a second expire.", "Find out.");

        assertThat(Causes.withConsequences(List.of(expired, slots), Set.of()))
                .containsExactly(new Problem(
                        Kind.NODE_TOO_SMALL,
                        Severity.BAD,
                        "",
                        "Too few slots. 30 calls a second expire.",
                        "Raise them."));
    }

    @Test
    void theRootOfAChainNamesAllConsequences() {
        List<Problem> chain =
                List.of(problem("calls-not-made@a"), problem("node-too-small@-"), problem("app-dominates@shop"));

        assertThat(Causes.withConsequences(chain, Set.of()))
                .singleElement()
                .extracting(Problem::text)
                .isEqualTo("app-dominates@shop calls-not-made@a");
    }

    /** The cause of each of 20,000 problems, looked up among all others, would take hours. */
    @Test
    @Timeout(60)
    void reportsThousandsOfFailingDestinations() {
        List<Problem> all = IntStream.range(0, 10_000)
                .boxed()
                .flatMap(i -> Stream.of(problem("calls-not-made@" + i), problem("destination-failing@" + i)))
                .toList();

        assertThat(Causes.explained(all, Set.of())).hasSize(10_000);
        assertThat(Causes.withConsequences(all, Set.of())).hasSize(10_000);
    }

    @Test
    void deadLettersFollowFromAnswersOnlyIfTheyHoldAnswers() {
        Problem answers = problem("answers-not-published@topic");
        Problem letters = new Problem(Kind.DEAD_LETTERS, Severity.WARN, "", "answer-not-published", "3 letters.", "");

        assertThat(Causes.withConsequences(List.of(letters, answers), Set.of())).hasSize(1);
    }

    @Test
    void explainsProblemsOfOtherNodesIfItKnowsTheirKinds() {
        assertThat(Causes.explains("destination-failing", "a", "calls-not-made", "a"))
                .isTrue();
        assertThat(Causes.explains("of-a-newer-version", "a", "calls-not-made", "a"))
                .isFalse();
        assertThat(Causes.rank("of-a-newer-version")).isGreaterThan(Causes.rank("configuration-refused"));
    }

    private static Problem problem(String text) {
        String[] parts = text.split("@");
        Kind kind = Arrays.stream(Kind.values())
                .filter(each -> each.wireName().equals(parts[0]))
                .findFirst()
                .orElseThrow();
        return new Problem(kind, Severity.WARN, parts[1].equals("-") ? "" : parts[1], text, "");
    }
}
