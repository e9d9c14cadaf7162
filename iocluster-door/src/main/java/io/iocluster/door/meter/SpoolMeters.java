package io.iocluster.door.meter;

import io.iocluster.door.spool.SpoolStatus;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/** Shows the state of the spool. Thread-safe. */
public final class SpoolMeters implements MeterBinder {

    private final Supplier<SpoolStatus> status;

    /** @param status returns the current state */
    public SpoolMeters(Supplier<SpoolStatus> status) {
        this.status = status;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        gauge(registry, "spooled.calls", "Stored calls that the broker has not confirmed", SpoolStatus::calls);
        gauge(registry, "spooled.bytes", "Size of the stored calls", SpoolStatus::bytes);
        gauge(registry, "spool.oldest.seconds", "Age of the oldest stored call", SpoolStatus::oldestSeconds);
        gauge(registry, "spool.waiting", "Forwarded calls that wait for their answers", SpoolStatus::waiting);
        counter(registry, "stored", SpoolStatus::accepted);
        counter(registry, "forwarded", SpoolStatus::forwarded);
        counter(registry, "expired", SpoolStatus::expired);
        counter(registry, "dropped", SpoolStatus::dropped);
        counter(registry, "refused", SpoolStatus::refused);
        counter(registry, "failed", SpoolStatus::failed);
    }

    private void gauge(MeterRegistry registry, String name, String description, ToDoubleFunction<SpoolStatus> value) {
        Gauge.builder("iocluster.door." + name, status, supplier -> value.applyAsDouble(supplier.get()))
                .description(description)
                .strongReference(true)
                .register(registry);
    }

    private void counter(MeterRegistry registry, String result, ToDoubleFunction<SpoolStatus> value) {
        FunctionCounter.builder("iocluster.door.spool.calls", status, supplier -> value.applyAsDouble(supplier.get()))
                .description("Asynchronous calls, by what happened to them")
                .tag("result", result)
                .register(registry);
    }
}
