package io.iocluster.lab.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class StartScenarioTest {

    private final StringWriter printed = new StringWriter();

    @Test
    void meetsTheTargetsIfTheMediansOfTheRoundsDo() {
        assertThat(meetsTargets(25, measured(5.9, 150), measured(20, 500), measured(6, 130)))
                .isTrue();
        assertThat(printed.toString())
                .contains(
                        "p50 ms: 1.050",
                        "p99 ms: 1.500; at most 1.5: met",
                        "ready after 6.00 s; at most 6 s on Java 25: met");
    }

    @Test
    void missesATargetIfTheFirstCallsWait() {
        assertThat(meetsTargets(25, measured(5, 151))).isFalse();
        assertThat(printed.toString()).contains("p99 ms: 1.510; at most 1.5: missed", "on Java 25: met");
    }

    @Test
    void missesATargetIfTheNodeIsReadyTooLate() {
        assertThat(meetsTargets(25, measured(6.1, 150))).isFalse();
        assertThat(printed.toString()).contains("ready after 6.10 s; at most 6 s on Java 25: missed", "1.5: met");
    }

    @Test
    void allowsMoreTimeOnOlderJava() {
        assertThat(meetsTargets(24, measured(10, 150))).isTrue();
        assertThat(meetsTargets(17, measured(10.1, 150))).isFalse();
        assertThat(printed.toString()).contains("at most 10 s on Java 24: met", "at most 10 s on Java 17: missed");
    }

    @Test
    void printsNothingWithoutMeasurements() {
        assertThat(meetsTargets(25)).isTrue();
        assertThat(printed.toString()).isEmpty();
    }

    private boolean meetsTargets(int javaVersion, Measurement... all) {
        return new StartScenario(Path.of(""), javaVersion).checkTargets(List.of(all), new PrintWriter(printed));
    }

    private static Measurement measured(double ready, double firstP99) {
        Measurement one = new Measurement(Subject.NODE, 1, 68_000, 1_700, 50, 1 << 20, 0);
        one.extras()
                .putAll(Map.of(
                        "ready s", ready,
                        "first p50 ms", 105.0,
                        "first p99 ms", firstP99,
                        "steady p50 ms", 100.0,
                        "steady p99 ms", 100.0));
        return one;
    }
}
