package io.iocluster.lab.load.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Percentage.withPercentage;

import io.iocluster.lab.load.result.LatencyHistogram;
import io.iocluster.lab.load.result.PhaseResult;
import io.iocluster.lab.load.result.RunResult;
import io.iocluster.testkit.process.JavaProcess;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Compares the percentiles that two agents measure together with those of one process, on the same load. Takes three minutes. Run it on
 * an idle machine: {@code mvn -q verify -pl iocluster-lab -am -Dit.test=AgentPercentilesMeasurement
 * -Dfailsafe.failIfNoSpecifiedTests=false -Dtest=none -Dsurefire.failIfNoSpecifiedTests=false}
 */
class AgentPercentilesMeasurement {

    private static final int ROUNDS = 3;

    @TempDir
    private Path folder;

    @Test
    void agentsMeasureWhatOneProcessMeasures() throws Exception {
        try (LoadProcesses load = new LoadProcesses(folder)) {
            Path experiment = load.experiment("""
                    requests: [{name: get, url: "%s/delay?ms=50"}]
                    phases:
                      - {name: warm-up, rate: 1000/s, duration: 25s, measured: false}
                      - {name: measured, rate: 300/s, duration: 15s}
                    expectations: [errors <= 0]
                    """.formatted(load.target()));
            List<LatencyHistogram> alone = new ArrayList<>();
            List<LatencyHistogram> together = new ArrayList<>();
            for (int round = 0; round < ROUNDS; round++) {
                alone.add(latency(load.result(experiment)));
                try (JavaProcess one = load.agent("one-" + round);
                        JavaProcess two = load.agent("two-" + round)) {
                    together.add(latency(load.result(experiment, "--agents=2")));
                    assertThat(one.isAlive() && two.isAlive()).isTrue();
                }
            }
            LatencyHistogram ofOne = LatencyHistogram.sum(alone);
            LatencyHistogram ofTwo = LatencyHistogram.sum(together);
            for (double percentile : List.of(50.0, 90.0, 99.0)) {
                System.out.printf(
                        "%s: one process %.2f ms, two agents %.2f ms%n",
                        LatencyHistogram.name(percentile), ofOne.millisAt(percentile), ofTwo.millisAt(percentile));
                assertThat(ofTwo.millisAt(percentile))
                        .as(LatencyHistogram.name(percentile))
                        .isCloseTo(ofOne.millisAt(percentile), withPercentage(3));
            }
        }
    }

    private static LatencyHistogram latency(RunResult result) {
        return result.phase("measured").map(PhaseResult::total).orElseThrow().latency();
    }
}
