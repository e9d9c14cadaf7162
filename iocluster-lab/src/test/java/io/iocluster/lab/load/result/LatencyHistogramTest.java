package io.iocluster.lab.load.result;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

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

    @Test
    void callsWithoutAnAnswerAreAboveAllValues() {
        LatencyHistogram histogram = histogram(990).withUnanswered(10);

        assertThat(histogram.percentileMillis(99)).hasValue(0.99);
        assertThat(histogram.withUnanswered(11).percentileMillis(99)).hasValue(Double.POSITIVE_INFINITY);
        assertThat(histogram.percentileMillis(50)).hasValue(0.5);
        assertThat(LatencyHistogram.sum(List.of(histogram, histogram)).unanswered())
                .isEqualTo(20);
    }

    @Test
    void callsWithoutAnAnswerAreInTheJsonOfAResultAndOlderResultsHaveNone() {
        LatencyHistogram histogram = histogram(1_000).withUnanswered(200);
        ObjectNode json = JSON.valueToTree(histogram);

        assertThat(json.path("unanswered").asLong()).isEqualTo(200);
        assertThat(json.path("percentiles").propertyNames()).containsExactly("p50", "p75");
        assertThat(JSON.treeToValue(json, LatencyHistogram.class)).isEqualTo(histogram);

        json.remove("unanswered");
        assertThat(JSON.treeToValue(json, LatencyHistogram.class)).isEqualTo(histogram(1_000));
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
