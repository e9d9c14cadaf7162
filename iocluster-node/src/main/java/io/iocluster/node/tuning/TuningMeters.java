package io.iocluster.node.tuning;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.function.Function;
import java.util.function.Supplier;

/** Registers the meters of the tuning advisor. They read its status at each scrape. */
public final class TuningMeters implements MeterBinder {

    private final Supplier<TuningStatus> status;

    public TuningMeters(Supplier<TuningStatus> status) {
        this.status = status;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        for (Verdict verdict : Verdict.values()) {
            Gauge.builder(
                            "iocluster.tuning.verdict",
                            this,
                            meters -> meters.advice().verdict() == verdict ? 1 : 0)
                    .description("1 for the current verdict of the advisor")
                    .tag("verdict", verdict.wireName())
                    .register(registry);
        }
        advised(registry, "in.flight", "Calls in flight", Advice::maxInFlight);
        advised(registry, "threads", "Event loops", Advice::threads);
        advised(registry, "additional.nodes", "Additional nodes", Advice::additionalNodes);
        for (TuningStep.Kind kind : TuningStep.Kind.values()) {
            FunctionCounter.builder(
                            "iocluster.tuning.steps",
                            this,
                            meters -> meters.status.get().stepCounts().getOrDefault(kind, 0L))
                    .description("Tuning steps that the node applied")
                    .tag("setting", kind.setting())
                    .tag("direction", kind.direction())
                    .register(registry);
        }
    }

    private void advised(MeterRegistry registry, String what, String description, Function<Advice, Integer> value) {
        Gauge.builder("iocluster.tuning.advised." + what, this, meters -> meters.read(value))
                .description(description + " that the advisor recommends; NaN for no change")
                .register(registry);
    }

    private double read(Function<Advice, Integer> value) {
        Integer advised = value.apply(advice());
        return advised == null ? Double.NaN : advised;
    }

    private Advice advice() {
        return status.get().advice();
    }
}
