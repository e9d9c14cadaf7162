package io.iocluster.lab.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ScaleCurveTest {

    @Test
    void takesTheMedianOfEachPointOverTheRounds() {
        ScaleCurve curve = ScaleCurve.of(ScaleAxis.HOSTS, List.of(round(30, 40), round(20, 90), round(25, 50)));

        assertThat(curve.points())
                .containsExactly(new ScaleCurve.Point(1, 1_000, 25), new ScaleCurve.Point(100, 1_000, 50));
    }

    @Test
    void saysWhereACostThatShouldBeFlatIsNot() {
        assertThat(print(ScaleAxis.HOSTS, round(30, 32))).contains("100").doesNotContain("not flat");
        assertThat(print(ScaleAxis.HOSTS, round(30, 40))).contains("× 1.33  not flat");
    }

    @Test
    void drawsTheCostAndTheRateAgainstTheSize() {
        assertThat(new ScaleScenario().charts(List.of(round(30, 40))))
                .filteredOn(chart -> chart.note().equals("hosts that are called"))
                .extracting(chart -> chart.xs()[1])
                .containsExactly(100.0, 100.0);
    }

    @Test
    void printsNothingForAnAxisThatWasNotMeasured() {
        assertThat(print(ScaleAxis.NODES, round(30, 40))).isEmpty();
    }

    private static String print(ScaleAxis axis, Measurement round) {
        StringWriter text = new StringWriter();
        ScaleCurve.of(axis, List.of(round)).print(new PrintWriter(text, true), 0.1);
        return text.toString();
    }

    private static Measurement round(double one, double hundred) {
        Measurement round = new Measurement(Subject.NODE, 1, 1, 1, 1, 1, 1);
        round.extras().putAll(Map.of("hosts 1 CPU µs", one, "hosts 1 calls/s", 1_000.0));
        round.extras().putAll(Map.of("hosts 100 CPU µs", hundred, "hosts 100 calls/s", 1_000.0));
        return round;
    }
}
