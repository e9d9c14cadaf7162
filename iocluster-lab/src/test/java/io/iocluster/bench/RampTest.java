package io.iocluster.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.bench.Ramp.Turn;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RampTest {

    @Test
    void saysFromWhenOnTheLagWasUnderASecondOfWork() {
        Ramp ramp = Ramps.behindUntil("auto", 20, 0.25, new Turn(67, 50, 150));

        assertThat(ramp.figures())
                .containsExactly(
                        new RampFigures("auto", 100, 0, 25, 100, 0, 0),
                        new RampFigures("auto", 200, 20, 25, 100, 1, 0));
    }

    @Test
    void saysWhereTheLagNeverWas() {
        assertThat(Ramps.behindUntil("off", 60, 0.1).figures().get(1).recoveredSeconds())
                .isInfinite();
    }

    @Test
    void countsReversalsInEachStepAndTheMostInAMinute() {
        Ramp ramp = Ramps.behindUntil(
                "auto",
                20,
                0.1,
                new Turn(50, 50, 150),
                new Turn(55, 150, 50),
                new Turn(65, 50, 150),
                new Turn(75, 150, 200));

        assertThat(ramp.figures()).extracting(RampFigures::steps).containsExactly(2, 2);
        assertThat(ramp.figures()).extracting(RampFigures::reversals).containsExactly(1, 1);
        assertThat(ramp.reversalsInAMinute()).isEqualTo(2);
        assertThat(Ramps.behindUntil("auto", 1, 0.1, new Turn(1, 5, 9), new Turn(2, 9, 5), new Turn(63, 5, 9))
                        .reversalsInAMinute())
                .isEqualTo(1);
    }

    @Test
    void figuresComeBackFromTheReport() {
        Map<String, Double> extras = new LinkedHashMap<>();
        Ramp ramp = Ramps.behindUntil("auto", 60, 0.5, new Turn(3, 50, 70));
        ramp.figures().forEach(each -> each.addTo(extras));

        assertThat(RampFigures.of(extras)).isEqualTo(ramp.figures());
    }
}
