package io.iocluster.node.problem;

import io.iocluster.node.problem.ProblemMonitor.OpenProblem;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.List;
import java.util.function.Supplier;

/** Publishes the current problems, so that an alert names what the console names. Not thread-safe: the metrics update it under their lock. */
public final class ProblemMeters implements MeterBinder {

    private final Supplier<List<OpenProblem>> problems;
    private MultiGauge current;

    /**
     * Creates the meters.
     *
     * @param problems returns the current problems, most urgent first
     */
    public ProblemMeters(Supplier<List<OpenProblem>> problems) {
        this.problems = problems;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        current = MultiGauge.builder("iocluster.problem")
                .description("Whether the node has this problem")
                .register(registry);
        update();
    }

    /** Replaces all series. Call it before each scrape. */
    public void update() {
        current.register(
                problems.get().stream()
                        .limit(ProblemMonitor.MAX_REPORTED)
                        .map(OpenProblem::problem)
                        .map(each -> Row.of(
                                Tags.of(
                                        "kind", each.kind().wireName(),
                                        "severity", each.severity().wireName(),
                                        "subject", each.subject(),
                                        "cause", each.cause()),
                                1))
                        .toList(),
                true);
    }
}
