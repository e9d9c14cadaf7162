package io.iocluster.lab.load.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.lab.load.experiment.Expectation;
import io.iocluster.lab.load.experiment.Phase;
import io.iocluster.lab.load.result.ExpectationOutcome.State;
import io.iocluster.lab.load.result.MetricSeries;
import io.iocluster.lab.load.result.MetricSeries.Sample;
import io.iocluster.lab.load.result.PhaseResult;
import java.util.List;
import org.junit.jupiter.api.Test;

class ExpectationCheckerTest {

    private static final List<PhaseResult> PHASES =
            List.of(phase("before", true, 0, 10), phase("recovery", false, 10, 20), phase("after", true, 20, 30));

    @Test
    void aSampleOfAPhaseThatIsNotMeasuredCountsOnlyIfThePhaseIsNamed() {
        ExpectationChecker checker = new ExpectationChecker(
                PHASES,
                List.of(new MetricSeries(
                        MetricSeries.LAG_SECONDS,
                        "s",
                        List.of(new Sample(5, 0.1), new Sample(15, 7), new Sample(25, 0.1)))),
                null);

        assertThat(state(checker, "lag < 1s")).isEqualTo(State.MET);
        assertThat(state(checker, "lag in recovery < 1s")).isEqualTo(State.FAILED);
    }

    private static State state(ExpectationChecker checker, String expectation) {
        return checker.check(Expectation.parse(expectation)).state();
    }

    private static PhaseResult phase(String name, boolean measured, double from, double to) {
        return new PhaseResult(name, Phase.Shape.CONSTANT, measured, from, to, 0, 0, List.of());
    }
}
