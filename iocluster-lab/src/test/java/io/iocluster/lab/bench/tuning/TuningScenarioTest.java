package io.iocluster.lab.bench.tuning;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.lab.bench.run.Measurement;
import io.iocluster.lab.bench.run.Subject;
import io.iocluster.lab.bench.tuning.RampResult.SizeChange;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TuningScenarioTest {

    private final StringWriter printed = new StringWriter();

    @Test
    void meetsTheTargetsWhateverTheNodeWithoutAdvisorDoes() {
        assertThat(meetsTargets(TestRamps.behindUntil("auto", 12, 0.3, new SizeChange(67, 50, 150))))
                .isTrue();

        assertThat(printed.toString())
                .contains("off          200                  never")
                .contains("auto         200             after 12 s       30%        100      1          0")
                .contains("seconds until the lag is under 1 s of work: 12; at most 60: met")
                .contains("peak CPU of the node in percent: 30; at most 80: met")
                .contains("reversals in a minute: 0; at most 1: met");
    }

    @Test
    void missesTheTargetIfTheLagStays() {
        assertThat(meetsTargets(TestRamps.behindUntil("auto", 60, 0.3))).isFalse();
        assertThat(printed.toString()).contains("at most 60: missed");
    }

    @Test
    void missesTheTargetIfTheCpuExceedsItsCeiling() {
        assertThat(meetsTargets(TestRamps.behindUntil("auto", 5, 0.9))).isFalse();
        assertThat(printed.toString()).contains("percent: 90; at most 80: missed");
    }

    @Test
    void missesTheTargetIfTheNodeOscillates() {
        assertThat(meetsTargets(TestRamps.behindUntil(
                        "auto",
                        5,
                        0.3,
                        new SizeChange(61, 50, 90),
                        new SizeChange(62, 90, 50),
                        new SizeChange(63, 50, 90))))
                .isFalse();
        assertThat(printed.toString()).contains("in a minute: 2; at most 1: missed");
    }

    private boolean meetsTargets(RampResult auto) {
        Map<String, Double> extras = new LinkedHashMap<>();
        TestRamps.behindUntil("off", 60, 0.1).stepResults().forEach(each -> each.addToExtras(extras));
        auto.stepResults().forEach(each -> each.addToExtras(extras));
        extras.put("auto reversals in a minute", (double) auto.maxReversalsPerMinute());
        Measurement one = new Measurement(Subject.NODE, 1, 18_000, 150, 50, 1 << 20, 0, extras);
        PrintWriter out = new PrintWriter(printed);
        boolean met = new TuningScenario().checkTargets(List.of(one), out);
        out.flush();
        return met;
    }
}
