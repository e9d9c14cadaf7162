package io.iocluster.lab.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.lab.bench.kafka.KafkaBenchBroker;
import io.iocluster.lab.bench.queue.BenchBroker;
import io.iocluster.lab.bench.run.Measurement;
import io.iocluster.lab.bench.run.Subject;
import io.iocluster.lab.bench.scale.ScaleScenario;
import io.iocluster.lab.bench.scenario.OpenCallsScenario;
import io.iocluster.lab.bench.tuning.RampStepResult;
import io.iocluster.lab.bench.tuning.TuningScenario;
import org.junit.jupiter.api.Test;

class KafkaScenariosIT extends ScenarioTestBase {

    @Override
    BenchBroker launch() {
        return new KafkaBenchBroker(3, 0);
    }

    @Test
    void rampsTheInputWithAndWithoutTheAdvisor() {
        Measurement tuned = new TuningScenario().measure(lab, Subject.NODE, 1, SMALL);

        assertThat(RampStepResult.fromExtras(tuned.extras()))
                .extracting(each -> each.advisor() + " " + each.rate() + " in " + each.inFlightLimit())
                .containsExactly("off 20 in 50", "off 200 in 50", "auto 20 in 50", "auto 200 in 50");
        assertThat(tuned.calls()).isPositive();
        assertThat(SMALL.chartFile()).content().contains("advisor on auto");
    }

    @Test
    void measuresTheHeapOfOpenCallsAndTheLatencyOfOthers() {
        Measurement open = new OpenCallsScenario().measure(lab, Subject.NODE, 1, SMALL);

        assertThat(open.calls()).isEqualTo(600);
        assertThat(open.extras())
                .containsEntry("open", 400.0)
                .hasEntrySatisfying(
                        "heap KB a call", kilobytes -> assertThat(kilobytes).isBetween(1.0, 100.0))
                .hasEntrySatisfying("p50 ms", millis -> assertThat(millis).isBetween(100.0, 60_000.0));
    }

    @Test
    void measuresTheCostOfACallAlongEachAxis() {
        Measurement scaled = new ScaleScenario().measure(lab, Subject.NODE, 1, SMALL);

        // Answers that arrive before the counter notices the end of the warm-up are not measured.
        assertThat(scaled.calls()).isBetween(5 * 3_000L, 5 * 4_000L);
        assertThat(scaled.extras())
                .containsKeys("partitions 1 CPU µs", "partitions 2 calls/s", "hosts 20 CPU µs", "nodes 2 CPU µs");
        assertThat(scaled.extras().values()).allSatisfy(each -> assertThat(each).isPositive());
        assertThat(SMALL.chartFile()).content().contains("hosts that are called", ">20<");
    }
}
