package io.iocluster.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.bench.kafka.KafkaBenchBroker;
import io.iocluster.bench.queue.BenchBroker;
import org.junit.jupiter.api.Test;

class KafkaScenariosIT extends ScenarioSuite {

    @Override
    BenchBroker launch() {
        return new KafkaBenchBroker(3, 0);
    }

    @Test
    void rampsTheInputOfANodeWithoutAnAdvisorAndOfOneWithIt() {
        Measurement tuned = new Tuning().measure(lab, Subject.NODE, 1, SMALL);

        assertThat(RampFigures.of(tuned.extras()))
                .extracting(each -> each.advisor() + " " + each.rate() + " in " + each.inFlightLimit())
                .containsExactly("off 20 in 50", "off 200 in 50", "auto 20 in 50", "auto 200 in 50");
        assertThat(tuned.calls()).isPositive();
        assertThat(SMALL.svg()).content().contains("advisor on auto");
    }
}
