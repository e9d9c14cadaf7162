package io.iocluster.node.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks that {@code docs/metrics.md} lists exactly the metrics of a scrape. */
class MetricsReferenceTest {

    @ParameterizedTest
    @ValueSource(strings = {"kafka", "rabbit"})
    void documentsExactlyTheMetricsOfTheNode(String transport) {
        assertThat(node(AllMetricsNode.scraped(transport))).isEqualTo(node(DocumentedMetrics.of(transport, true)));
    }

    @Test
    void documentsEveryMetricOfTheProcess() {
        assertThat(process(DocumentedMetrics.of("kafka", true)))
                .containsAllEntriesOf(process(AllMetricsNode.scraped("kafka")));
    }

    @Test
    void documentsOnlyExistingMetricsOfTheProcess() {
        assertThat(process(AllMetricsNode.scraped("kafka")))
                .containsAllEntriesOf(process(DocumentedMetrics.of("kafka", false)));
    }

    private static Map<String, ExposedMetric> node(Map<String, ExposedMetric> metrics) {
        Map<String, ExposedMetric> own = new TreeMap<>(metrics);
        own.keySet().removeIf(name -> !name.startsWith("iocluster_"));
        return own;
    }

    private static Map<String, ExposedMetric> process(Map<String, ExposedMetric> metrics) {
        Map<String, ExposedMetric> others = new TreeMap<>(metrics);
        others.keySet().removeIf(name -> name.startsWith("iocluster_"));
        return others;
    }
}
