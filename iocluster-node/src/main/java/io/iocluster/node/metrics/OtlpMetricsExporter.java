package io.iocluster.node.metrics;

import io.iocluster.node.config.OtlpMetricsSettings;
import io.iocluster.node.config.ResourceAttributes;
import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.registry.otlp.CompressionMode;
import io.micrometer.registry.otlp.OtlpConfig;
import io.micrometer.registry.otlp.OtlpMeterRegistry;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A registry that sends what it has to a collector again and again, on a thread of its own. Closing it sends it once more. */
final class OtlpMetricsExporter implements MeterBinder, AutoCloseable {

    private final OtlpMetricsSettings settings;
    private final InstrumentedMetricsSender sender;
    private final OtlpMeterRegistry registry;

    OtlpMetricsExporter(OtlpMetricsSettings settings, String node) {
        this.settings = settings;
        sender = new InstrumentedMetricsSender(settings.timeout());
        registry = OtlpMeterRegistry.builder(new Config(settings, node))
                .clock(Clock.SYSTEM)
                .metricsSender(sender)
                .build();
    }

    /** How often it sends. */
    Duration step() {
        return settings.step();
    }

    MeterRegistry registry() {
        return registry;
    }

    /** Registers the counts of successful and failed exports. */
    @Override
    public void bindTo(MeterRegistry shown) {
        FunctionCounter.builder("iocluster.metrics.exports", sender, InstrumentedMetricsSender::sent)
                .description("Requests to the collector of metrics")
                .tag("result", "exported")
                .register(shown);
        FunctionCounter.builder("iocluster.metrics.exports", sender, InstrumentedMetricsSender::failed)
                .description("Requests to the collector of metrics")
                .tag("result", "failed")
                .register(shown);
    }

    @Override
    public void close() {
        registry.close();
    }

    private record Config(OtlpMetricsSettings settings, String node) implements OtlpConfig {

        /** Nothing besides what is said here. */
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
