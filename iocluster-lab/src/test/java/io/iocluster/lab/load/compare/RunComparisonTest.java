package io.iocluster.lab.load.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.iocluster.lab.load.TestResults;
import io.iocluster.lab.load.compare.ComparedFigure.Verdict;
import io.iocluster.lab.load.result.RunResult;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RunComparisonTest {

    private static final RunResult RUN = TestResults.steady("get", 10, 1);

    @Test
    void twoRunsOfTheSameSystemAreWithinNoise() {
        RunComparison comparison = new RunComparison(RUN, TestResults.steady("get", 10, 2));

        assertThat(comparison.isWorse()).isFalse();
        assertThat(verdict(comparison, "p50")).isEqualTo(Verdict.SAME);
        assertThat(verdict(comparison, "p99")).isEqualTo(Verdict.SAME);
        assertThat(verdict(comparison, "answered rate")).isEqualTo(Verdict.SAME);
        assertThat(comparison.differences()).isEmpty();
    }

    @Test
    void aSlowerRunIsWorseAndAFasterOneIsBetter() {
        RunResult slower = TestResults.steady("get", 12, 2);

        assertThat(new RunComparison(RUN, slower).isWorse()).isTrue();
        assertThat(verdict(new RunComparison(RUN, slower), "p99")).isEqualTo(Verdict.WORSE);
        assertThat(verdict(new RunComparison(slower, RUN), "p99")).isEqualTo(Verdict.IMPROVED);
        assertThat(new RunComparison(slower, RUN).isWorse()).isFalse();
    }

    @Test
    void aPercentileWithoutEnoughCallsIsUnknown() {
        assertThat(verdict(new RunComparison(RUN, RUN), "p99.9")).isEqualTo(Verdict.UNKNOWN);
    }

    @Test
    void aPercentileThatIsNoLongerAnsweredIsWorse() {
        RunResult unanswered = TestResults.unanswered(RUN, 200);

        assertThat(verdict(new RunComparison(RUN, unanswered), "p99")).isEqualTo(Verdict.WORSE);
        assertThat(verdict(new RunComparison(unanswered, RUN), "p99")).isEqualTo(Verdict.IMPROVED);
        assertThat(verdict(new RunComparison(unanswered, unanswered), "p99")).isEqualTo(Verdict.UNKNOWN);
        assertThat(ComparisonReport.lines(new RunComparison(RUN, unanswered)))
                .anyMatch(line -> line.matches("peak +p99 +1\\d\\.\\d ms +no answer +– +– +worse"));
    }

    @Test
    void whatDiffersBetweenTheRunsIsNamed() {
        assertThat(new RunComparison(RUN, TestResults.steady("post", 10, 2)).differences())
                .containsExactly("experiment: get in A, post in B");
    }

    @Test
    void theTableAndThePageHaveEachFigureAndTheNoise() {
        RunComparison comparison = new RunComparison(RUN, TestResults.steady("get", 12, 2));

        List<String> lines = ComparisonReport.lines(comparison);
        assertThat(lines)
                .anyMatch(line ->
                        line.matches("peak +p99 +1\\d\\.\\d ms +1\\d\\.\\d ms +\\+.*ms \\(\\+.*%\\) +± .*worse"));
        assertThat(lines.get(lines.size() - 1)).startsWith("B against A: 3 worse, ");
        assertThat(ComparisonReport.html(comparison))
                .contains(
                        "half of the 95 % confidence interval", "<h3>Percentiles of peak</h3>", "B against A: 3 worse");
    }

    @Test
    void aRateThatRisesInBothRunsIsNoNoise() {
        double[] a = IntStream.range(0, 60).mapToDouble(i -> i * 10).toArray();
        double[] b = IntStream.range(0, 60).mapToDouble(i -> i * 10 + 5).toArray();

        assertThat(RunComparison.noise(a, b)).isCloseTo(0, within(1e-9));
        assertThat(RunComparison.noise(new double[4], b)).isNaN();
        assertThat(RunComparison.noise(new double[] {1, 2, Double.NaN, 4, 5}, b))
                .isNaN();
    }

    @Test
    void about95PercentOfEqualRunsDifferByLessThanTheNoise() {
        Random random = new Random(7);
        int inside = 0;
        for (int run = 0; run < 400; run++) {
            double[] a = random.doubles(60).toArray();
            double[] b = random.doubles(60).toArray();
            double difference = Arrays.stream(b).average().getAsDouble()
                    - Arrays.stream(a).average().getAsDouble();
            inside += Math.abs(difference) <= RunComparison.noise(a, b) ? 1 : 0;
        }

        assertThat(inside / 400.0).isBetween(0.91, 0.985);
    }

    private static Verdict verdict(RunComparison comparison, String figure) {
        return comparison.figures().stream()
                .filter(each -> each.name().equals(figure))
                .findFirst()
                .orElseThrow()
                .verdict();
    }
}
