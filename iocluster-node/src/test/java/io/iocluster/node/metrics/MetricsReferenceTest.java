package io.iocluster.node.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code docs/metrics.md} lists what a scrape shows, nothing less and nothing more. */
class MetricsReferenceTest {

    @ParameterizedTest
    @ValueSource(strings = {"kafka", "rabbit"})
    void namesEverythingOfTheNodeAndNothingElse(String transport) {
        assertThat(node(AllMetricsNode.scraped(transport))).isEqualTo(node(DocumentedMetrics.of(transport, true)));
    }

    @Test
    void namesEverythingOfTheProcess() {
        assertThat(process(DocumentedMetrics.of("kafka", true)))
                .containsAllEntriesOf(process(AllMetricsNode.scraped("kafka")));
    }

    @Test
    void namesNothingOfTheProcessThatIsNotThere() {
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
