package io.iocluster.node.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.iocluster.destination.DestinationStatus;
import io.iocluster.message.Outcome;
import io.iocluster.node.FakeOtlpCollector;
import io.iocluster.node.TestStatuses;
import io.iocluster.node.config.MetricsSettings;
import io.iocluster.node.config.OtlpMetricsSettings;
import io.iocluster.pipeline.event.CallTap;
import io.iocluster.thread.Platform;
import io.iocluster.trace.Traced;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.metrics.v1.AggregationTemporality;
import io.opentelemetry.proto.metrics.v1.HistogramDataPoint;
import io.opentelemetry.proto.metrics.v1.Metric;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class OtlpMetricsTest {

    @AutoClose
    private final FakeOtlpCollector collector = new FakeOtlpCollector();

    @Test
    void exportsPeriodicallyWhatPrometheusScrapes() {
        try (NodeMetrics metrics = metrics(collector.metricsUrl())) {
            metrics.startRefresh(
                    () -> TestStatuses.CONNECTED, List::of, Platform.system().newScheduler("test"));
            metrics.events().attempted("a:80", 0);
            metrics.events().callEnded("a:80", Outcome.ANSWERED, 200, null, 30_000_000, Traced.UNTRACED);

            await().until(() -> collector.metrics().size() >= 2);
        }

        ExportMetricsServiceRequest last =
                collector.metrics().get(collector.metrics().size() - 1);
        assertThat(metric(last, "iocluster.attempts").getSum().getDataPointsList())
                .anySatisfy(point -> {
                    assertThat(point.getAttributesList()).containsExactly(attribute("destination", "a:80"));
                    assertThat(point.getAsDouble()).isEqualTo(1);
                });
        assertThat(metric(last, "iocluster.attempts").getSum().getAggregationTemporality())
                .isEqualTo(AggregationTemporality.AGGREGATION_TEMPORALITY_CUMULATIVE);
        assertThat(metric(last, "iocluster.consumer.lag")
                        .getGauge()
                        .getDataPoints(0)
                        .getAsDouble())
                .isEqualTo(12);
        Metric calls = metric(last, "iocluster.call.duration");
        assertThat(calls.getUnit()).isEqualTo("seconds");
        HistogramDataPoint point = calls.getHistogram().getDataPoints(0);
        assertThat(point.getSum()).isEqualTo(0.03);
        assertThat(point.getExplicitBoundsList())
                .startsWith(0.001, 0.0025, 0.005)
                .endsWith(300.0);
        assertThat(last.getResourceMetrics(0).getResource().getAttributesList())
                .contains(attribute("service.name", "iocluster"))
                .contains(attribute("service.instance.id", "node-1"))
                .contains(attribute("env", "test"));
        assertThat(collector.authorizations()).containsOnly("Bearer s3cr3t");
    }

    @Test
    void removesAMissingDestinationFromBothRegistries() {
        try (NodeMetrics metrics = metrics(collector.metricsUrl(), Duration.ofHours(1))) {
            DestinationStatus configured =
                    TestStatuses.destination("partner", "inFlight", 1, "limit", 7, "retryBudgetExhausted", 2);
            metrics.scrape(TestStatuses.CONNECTED, List.of(configured), null);
            metrics.events().attempted("partner", 0);
            metrics.events().callEnded("partner", Outcome.ANSWERED, 200, null, 30_000_000, Traced.UNTRACED);
            assertThat(text(metrics)).doesNotContain("partner");
        }

        assertThat(collector.metrics().get(0).toString()).doesNotContain("partner");
    }

    @Test
    void exportsOnceMoreOnClose() {
        try (NodeMetrics metrics = metrics(collector.metricsUrl(), Duration.ofHours(1))) {
            metrics.events().attempted("a:80", 0);
        }

        assertThat(collector.metrics()).hasSize(1);
    }

    @Test
    void continuesWithoutACollectorAndCountsFailedExports() {
        collector.answer(503);
        try (NodeMetrics metrics = metrics(collector.metricsUrl())) {
            await().until(() -> text(metrics).contains("iocluster_metrics_exports_total{result=\"failed\"} 1.0"));
            collector.answer(200);

            await().until(() -> text(metrics).contains("iocluster_metrics_exports_total{result=\"exported\"} 1.0"));
        }
    }

    private static NodeMetrics metrics(String url) {
        return metrics(url, Duration.ofSeconds(1));
    }

    private static NodeMetrics metrics(String url, Duration step) {
        OtlpMetricsSettings otlp = new OtlpMetricsSettings(
                true,
                url,
                step,
                Duration.ofSeconds(5),
                Map.of("Authorization", "Bearer s3cr3t"),
                Map.of("env", "test"));
        return new NodeMetrics(
                "node-1", "kafka", new MetricsSettings(2, 200, otlp), 10, CallTap.NONE, Platform.system());
    }

    private static String text(NodeMetrics metrics) {
        return TestNodeMetrics.scrape(metrics);
    }

    private static Metric metric(ExportMetricsServiceRequest request, String name) {
        return FakeOtlpCollector.in(request).stream()
                .filter(each -> each.getName().equals(name))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no " + name + " in " + request));
    }

    private static KeyValue attribute(String key, String value) {
        return KeyValue.newBuilder()
                .setKey(key)
                .setValue(AnyValue.newBuilder().setStringValue(value))
                .build();
    }
}
