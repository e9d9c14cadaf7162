package io.iocluster.lab.bench.tuning;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.lab.bench.tuning.RampResult.SizeChange;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RampResultTest {

    @Test
    void findsWhenTheLagFellBelowOneSecondOfWork() {
        RampResult ramp = TestRamps.behindUntil("auto", 20, 0.25, new SizeChange(67, 50, 150));

        assertThat(ramp.stepResults())
                .containsExactly(
                        new RampStepResult("auto", 100, 0, 25, 100, 0, 0),
                        new RampStepResult("auto", 200, 20, 25, 100, 1, 0));
    }

    @Test
    void reportsALagThatNeverRecovered() {
        assertThat(TestRamps.behindUntil("off", 60, 0.1).stepResults().get(1).recoveredSeconds())
                .isInfinite();
    }

    @Test
    void countsReversalsPerStepAndTheMaximumPerMinute() {
        RampResult ramp = TestRamps.behindUntil(
                "auto",
                20,
                0.1,
                new SizeChange(50, 50, 150),
                new SizeChange(55, 150, 50),
                new SizeChange(65, 50, 150),
                new SizeChange(75, 150, 200));

        assertThat(ramp.stepResults()).extracting(RampStepResult::sizeChanges).containsExactly(2, 2);
        assertThat(ramp.stepResults()).extracting(RampStepResult::reversals).containsExactly(1, 1);
        assertThat(ramp.maxReversalsPerMinute()).isEqualTo(2);
        assertThat(TestRamps.behindUntil(
                                "auto",
                                1,
                                0.1,
                                new SizeChange(1, 5, 9),
                                new SizeChange(2, 9, 5),
                                new SizeChange(63, 5, 9))
                        .maxReversalsPerMinute())
                .isEqualTo(1);
    }

    @Test
    void readsStepResultsBackFromTheReport() {
        Map<String, Double> extras = new LinkedHashMap<>();
        RampResult ramp = TestRamps.behindUntil("auto", 60, 0.5, new SizeChange(3, 50, 70));
        ramp.stepResults().forEach(each -> each.addToExtras(extras));

        assertThat(RampStepResult.fromExtras(extras)).isEqualTo(ramp.stepResults());
    }
}
