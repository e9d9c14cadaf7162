package io.iocluster.node.reload;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/** Registers the meters of the live configuration. They read its status at each scrape. */
public final class ConfigurationMeters implements MeterBinder {

    private final Supplier<ConfigurationStatus> status;

    public ConfigurationMeters(Supplier<ConfigurationStatus> status) {
        this.status = status;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        Gauge.builder(
                        "iocluster.config.differs",
                        this,
                        meters -> meters.status.get().differs() ? 1 : 0)
                .description("1 while the configuration differs from the settings in use")
                .register(registry);
        reloads(registry, "applied", ConfigurationStatus::applied);
        reloads(registry, "refused", ConfigurationStatus::refused);
    }

    private void reloads(MeterRegistry registry, String result, ToDoubleFunction<ConfigurationStatus> count) {
        FunctionCounter.builder("iocluster.config.reloads", this, meters -> count.applyAsDouble(meters.status.get()))
                .description("Reloads of the configuration")
                .tag("result", result)
                .register(registry);
    }
}
