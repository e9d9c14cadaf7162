package io.iocluster.lab.load.result;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class LatencyHistogramTest {

    private static final JsonMapper JSON = new JsonMapper();

    @Test
    void aPercentileNeedsTenValuesAboveIt() {
        assertThat(LatencyHistogram.neededFor(50)).isEqualTo(20);
        assertThat(LatencyHistogram.neededFor(99)).isEqualTo(1_000);
        assertThat(LatencyHistogram.neededFor(99.99)).isEqualTo(100_000);
        assertThat(histogram(999).percentileMillis(99)).isEmpty();
        assertThat(histogram(1_000).percentileMillis(99))
                .hasValueCloseTo(0.99, org.assertj.core.data.Offset.offset(0.002));
    }

    @Test
    void jsonHasTheValuesAndTheFiguresThatTheySupport() {
        LatencyHistogram histogram = histogram(1_000);
        JsonNode json = JSON.valueToTree(histogram);

        assertThat(json.path("count").asLong()).isEqualTo(1_000);
        assertThat(json.path("percentiles").propertyNames()).containsExactly("p50", "p75", "p90", "p95", "p99");
        assertThat(JSON.treeToValue(json, LatencyHistogram.class)).isEqualTo(histogram);
    }

    @Test
    void theSumHasTheValuesOfAllParts() {
        LatencyHistogram sum = LatencyHistogram.sum(List.of(histogram(10), LatencyHistogram.EMPTY, histogram(1_000)));

        assertThat(sum.count()).isEqualTo(1_010);
        assertThat(sum.maxMillis()).isEqualTo(1.0);
    }

    private static LatencyHistogram histogram(int values) {
        Histogram micros = new Histogram(3);
        micros.setAutoResize(true);
        for (int value = 1; value <= values; value++) {
            micros.recordValue(value);
        }
        return LatencyHistogram.copyOf(micros);
    }
}
