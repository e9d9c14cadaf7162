package io.iocluster.node.metrics;

import io.iocluster.node.config.OtlpMetricsSettings;
import io.iocluster.node.config.ResourceAttributes;
import io.iocluster.thread.NodeClock;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.registry.otlp.CompressionMode;
import io.micrometer.registry.otlp.OtlpConfig;
import io.micrometer.registry.otlp.OtlpMeterRegistry;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Owns a registry that periodically sends its meters to a collector, on its own thread, and once more when it closes. */
final class OtlpMetricsExporter implements MeterBinder, AutoCloseable {

    private final OtlpMetricsSettings settings;
    private final InstrumentedMetricsSender sender;
    private final OtlpMeterRegistry registry;

    OtlpMetricsExporter(OtlpMetricsSettings settings, String node, NodeClock clock) {
        this.settings = settings;
        sender = new InstrumentedMetricsSender(settings.timeout(), clock);
        registry = OtlpMeterRegistry.builder(new Config(settings, node))
                .clock(new MeterClock(clock))
                .metricsSender(sender)
                .build();
    }

    /** Returns the interval of the exports. */
    Duration step() {
        return settings.step();
    }

    MeterRegistry registry() {
        return registry;
    }

    /** Registers the counts of successful and failed exports. */
    @Override
    public void bindTo(MeterRegistry target) {
        FunctionCounter.builder("iocluster.metrics.exports", sender, InstrumentedMetricsSender::sent)
                .description("Export requests to the metrics collector")
                .tag("result", "exported")
                .register(target);
        FunctionCounter.builder("iocluster.metrics.exports", sender, InstrumentedMetricsSender::failed)
                .description("Export requests to the metrics collector")
                .tag("result", "failed")
                .register(target);
    }

    @Override
    public void close() {
        registry.close();
    }

    private record Config(OtlpMetricsSettings settings, String node) implements OtlpConfig {

        /** Returns null, so that defaults apply to everything that this record does not override. */
        @Override
        public String get(String key) {
            return null;
        }

        @Override
        public String url() {
            return settings.url();
        }

        @Override
        public Duration step() {
            return settings.step();
        }

        @Override
        public Map<String, String> headers() {
            return settings.headers();
        }

        @Override
        public Map<String, String> resourceAttributes() {
            return ResourceAttributes.of(node, settings.resourceAttributes());
        }

        @Override
        public CompressionMode compressionMode() {
            return CompressionMode.GZIP;
        }

        @Override
        public TimeUnit baseTimeUnit() {
            return TimeUnit.SECONDS;
        }
    }
}
