package io.iocluster.node.metrics;

import io.iocluster.node.reload.ConfigurationStatus;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/** Shows how what runs stands to its file. Asks at each scrape. */
final class ConfigurationMeters {

    private final Supplier<ConfigurationStatus> status;

    ConfigurationMeters(MeterRegistry registry, Supplier<ConfigurationStatus> status) {
        this.status = status;
        Gauge.builder(
                        "iocluster.config.differs",
                        this,
                        meters -> meters.status.get().differs() ? 1 : 0)
                .description("Whether the configuration says something else than what runs")
                .register(registry);
        reloads(registry, "applied", ConfigurationStatus::applied);
        reloads(registry, "refused", ConfigurationStatus::refused);
    }

    private void reloads(MeterRegistry registry, String result, ToDoubleFunction<ConfigurationStatus> count) {
        FunctionCounter.builder("iocluster.config.reloads", this, meters -> count.applyAsDouble(meters.status.get()))
                .description("Edits of the configuration")
                .tag("result", result)
                .register(registry);
    }
}
