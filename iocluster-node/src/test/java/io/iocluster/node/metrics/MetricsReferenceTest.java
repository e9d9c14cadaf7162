package io.iocluster.node.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
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

    /** The names that users' dashboards, alerts and autoscalers depend on. Changing one breaks them. */
    @ParameterizedTest
    @CsvSource({
        "iocluster_consumer_lag, gauge, transport queue partition, transport queue",
        "iocluster_consumer_lag_seconds, gauge, transport queue, transport queue",
        "iocluster_in_flight, gauge, '', ''",
        "iocluster_in_flight_limit, gauge, '', ''",
        "iocluster_in_flight_bytes, gauge, '', ''",
        "iocluster_workers, gauge, '', ''",
        "iocluster_worker_in_flight, gauge, worker, worker",
        "iocluster_received_total, counter, transport, transport",
        "iocluster_settled_total, counter, settlement, settlement",
        "iocluster_dead_letters_total, counter, code, code",
        "iocluster_call_duration_seconds, histogram, destination outcome status, destination outcome status",
        "iocluster_queue_wait_seconds, histogram, transport, transport",
        "iocluster_end_to_end_seconds, histogram, transport, transport",
        "iocluster_attempts_total, counter, destination, destination",
        "iocluster_retries_total, counter, reason, reason",
        "iocluster_failures_total, counter, code, code",
        "iocluster_connections, gauge, state, state",
        "iocluster_connection_hosts, gauge, '', ''",
        "iocluster_source_paused, gauge, reason, reason",
        "process_cpu_usage, gauge, '', ''",
        "system_cpu_usage, gauge, '', ''",
        "system_cpu_count, untyped, '', ''",
        "jvm_memory_used_bytes, gauge, area id, area id"
    })
    void keepsItsNameItsTypeAndItsLabels(String name, String type, String onKafka, String onRabbit) {
        assertThat(AllMetricsNode.scraped("kafka").get(name)).isEqualTo(new ExposedMetric(type, labels(onKafka)));
        assertThat(AllMetricsNode.scraped("rabbit").get(name)).isEqualTo(new ExposedMetric(type, labels(onRabbit)));
    }

    private static Set<String> labels(String words) {
        return Arrays.stream(words.split(" "))
                .filter(word -> !word.isEmpty())
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
