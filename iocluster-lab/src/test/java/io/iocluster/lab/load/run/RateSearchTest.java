package io.iocluster.lab.load.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.lab.load.TestExperiments;
import io.iocluster.lab.load.experiment.Phase;
import io.iocluster.lab.load.result.SearchResult.Trial;
import io.iocluster.lab.load.result.TemplateResult;
import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RateSearchTest {

    private static final Phase PHASE =
            TestExperiments.phase("shape: search, from: 100/s, to: 20000/s, precision: 0.05, objective: [p99 < 1s]");

    @ParameterizedTest
    @ValueSource(doubles = {100, 137, 999, 5_000, 12_345, 19_999})
    void theSearchFindsTheLimitWithinItsPrecisionAndItsNumberOfTrials(double limit) {
        RateSearch search = search(limit);

        assertThat(search.best()).isLessThanOrEqualTo(limit);
        assertThat(search.failed()).isGreaterThan(limit);
        assertThat(search.failed()).isLessThanOrEqualTo(search.best() * 1.05);
        assertThat(search.trials()).hasSizeLessThanOrEqualTo(PHASE.maxTrials());
    }

    @Test
    void theSearchEndsAtTheHighestRateIfAllTrialsMeetTheObjective() {
        RateSearch search = search(1e9);

        assertThat(search.best()).isEqualTo(20_000);
        assertThat(search.failed()).isNull();
    }

    @Test
    void theSearchEndsAfterTheFirstTrialIfItFails() {
        RateSearch search = search(99);

        assertThat(search.best()).isNull();
        assertThat(search.trials()).hasSize(1);
    }

    private static RateSearch search(double limit) {
        RateSearch search = new RateSearch(PHASE);
        TemplateResult none = TemplateResult.sum("none", List.of());
        for (OptionalDouble rate = search.nextRate(); rate.isPresent(); rate = search.nextRate()) {
            boolean met = rate.getAsDouble() <= limit;
            search.add(new Trial(rate.getAsDouble(), 0, 1, met, met ? null : "too slow", none));
        }
        return search;
    }
}
