package io.iocluster.node.metrics;

import io.iocluster.node.TestStatuses;
import io.iocluster.node.config.MetricsSettings;
import io.iocluster.node.config.OtlpMetricsSettings;
import io.iocluster.pipeline.event.CallTap;
import io.iocluster.thread.Platform;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Meters of a node that exports them to no collector. */
public final class TestNodeMetrics {

    private TestNodeMetrics() {}

    /** Creates meters with series for this many destinations. */
    public static NodeMetrics of(int maxDestinations) {
        return new NodeMetrics(
                "node-1",
                "kafka",
                new MetricsSettings(maxDestinations, 200, OtlpMetricsSettings.DEFAULTS),
                100,
                CallTap.NONE,
                Platform.system());
    }

    /** Returns what a scrape returns. */
    public static String scrape(NodeMetrics metrics) {
        return new String(
                metrics.scrape(TestStatuses.CONNECTED, List.of(), null).text(), StandardCharsets.UTF_8);
    }

    /** Returns the lines of a scrape that have this prefix. */
    public static List<String> scrape(NodeMetrics metrics, String prefix) {
        return scrape(metrics).lines().filter(line -> line.startsWith(prefix)).toList();
    }
}
