package io.iocluster.node.metrics;

import io.iocluster.node.tuning.Advice;
import io.iocluster.node.tuning.TuningStatus;
import io.iocluster.node.tuning.TuningStep;
import io.iocluster.node.tuning.Verdict;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.function.Function;
import java.util.function.Supplier;

/** Shows what the advisor says. Asks at each scrape. */
final class TuningMeters {

    private final Supplier<TuningStatus> status;

    TuningMeters(MeterRegistry registry, Supplier<TuningStatus> status) {
        this.status = status;
        for (Verdict verdict : Verdict.values()) {
            Gauge.builder(
                            "iocluster.tuning.verdict",
                            this,
                            meters -> meters.advice().verdict() == verdict ? 1 : 0)
                    .description("Whether this is what the advisor says")
                    .tag("verdict", verdict.wireName())
                    .register(registry);
        }
        advised(registry, "in.flight", "Most calls open at once", Advice::maxInFlight);
        advised(registry, "threads", "Event loops", Advice::threads);
        advised(registry, "additional.nodes", "Additional nodes", Advice::additionalNodes);
        for (TuningStep.Kind kind : TuningStep.Kind.values()) {
            FunctionCounter.builder(
                            "iocluster.tuning.steps",
                            this,
                            meters -> meters.status.get().stepCounts().getOrDefault(kind, 0L))
                    .description("Changes of the size that the node made by itself")
                    .tag("setting", kind.setting())
                    .tag("direction", kind.direction())
                    .register(registry);
        }
    }

    private void advised(MeterRegistry registry, String what, String description, Function<Advice, Integer> value) {
        Gauge.builder("iocluster.tuning.advised." + what, this, meters -> meters.read(value))
                .description(description + ", as the advisor would have it; NaN where it would change nothing")
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
