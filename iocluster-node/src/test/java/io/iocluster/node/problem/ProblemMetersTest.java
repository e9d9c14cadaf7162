package io.iocluster.node.problem;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.node.problem.Problem.Kind;
import io.iocluster.node.problem.Problem.Severity;
import io.iocluster.node.problem.ProblemMonitor.OpenProblem;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ProblemMetersTest {

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private List<OpenProblem> problems = List.of();
    private final ProblemMeters meters = new ProblemMeters(() -> problems);

    @Test
    void hasASeriesForEachProblemWhileItExists() {
        meters.bindTo(registry);
        assertThat(registry.getMeters()).isEmpty();

        problems = List.of(
                open(new Problem(Kind.DESTINATION_FAILING, Severity.BAD, "partner", "status 401", "text", "action")),
                open(new Problem(Kind.NODE_PAUSED, Severity.WARN, "", "text", "action")));
        meters.update();
        meters.update();

        assertThat(registry.getMeters())
                .extracting(each -> values(each.getId()))
                .containsExactlyInAnyOrder(
                        "cause=status 401, kind=destination-failing, severity=bad, subject=partner",
                        "cause=, kind=node-paused, severity=warn, subject=");
        assertThat(registry.get("iocluster.problem")
                        .tag("subject", "partner")
                        .gauge()
                        .value())
                .isEqualTo(1);

        problems = List.of();
        meters.update();
        assertThat(registry.getMeters()).isEmpty();
    }

    @Test
    void publishesOnlyTheMostUrgentOfManyProblems() {
        problems = IntStream.range(0, 10_000)
                .mapToObj(i -> open(new Problem(
                        Kind.DESTINATION_FAILING, Severity.BAD, "partner-" + i, "timeout", "text", "action")))
                .toList();

        meters.bindTo(registry);

        assertThat(registry.getMeters())
                .hasSize(20)
                .extracting(each -> each.getId().getTag("subject"))
                .contains("partner-0", "partner-19");
    }

    private static OpenProblem open(Problem problem) {
        return new OpenProblem(problem, Instant.EPOCH);
    }

    private static String values(Meter.Id id) {
        return String.join(
                ", ",
                id.getTags().stream()
                        .map((Tag tag) -> tag.getKey() + "=" + tag.getValue())
                        .toList());
    }
}
