package io.iocluster.node.problem;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.node.TestStatuses;
import io.iocluster.node.problem.Problem.Kind;
import io.iocluster.node.problem.Problem.Severity;
import io.iocluster.upstream.UpstreamState;
import io.iocluster.upstream.UpstreamStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class MissingUpstreamsTest {

    private static UpstreamStatus upstream(String destination, String upstream, UpstreamState state, String problem) {
        return new UpstreamStatus(destination, upstream, "", state, 0, problem, 0, 0, 0, 0, 0, 0, 0);
    }

    private static List<Problem> detect(UpstreamStatus... upstreams) {
        return ProblemDetector.detect(new NodeSnapshot(
                TestStatuses.CONNECTED,
                "broker:9092",
                TestStatuses.NO_FILE,
                List.of(),
                List.of(upstreams),
                Optional.empty(),
                List.of(),
                CodeCounts.NONE));
    }

    @Test
    void reportsADestinationOfWhichHalfTheUpstreamsAreOut() {
        assertThat(detect(
                        upstream("other", "c:1", UpstreamState.ACTIVE, null),
                        upstream("partner", "a:1", UpstreamState.EJECTED, "consecutive-failures"),
                        upstream("partner", "b:1", UpstreamState.SLOW_START, null)))
                .containsExactly(new Problem(
                        Kind.UPSTREAMS_OUT,
                        Severity.WARN,
                        "partner",
                        "1 of 2 upstreams of destination partner get no calls: a:1 (ejected, consecutive-failures).",
                        "The others take their calls. Check these replicas before the others are overloaded."));
    }

    @Test
    void doesNotReportLessThanHalf() {
        assertThat(detect(
                        upstream("partner", "a:1", UpstreamState.EJECTED, "failure-percent"),
                        upstream("partner", "b:1", UpstreamState.ACTIVE, null),
                        upstream("partner", "c:1", UpstreamState.ACTIVE, null)))
                .isEmpty();
    }

    @Test
    void isSevereIfAllAreOutAndNamesAFew() {
        List<UpstreamStatus> all = new ArrayList<>();
        for (int i = 1; i <= 5; i++) {
            all.add(upstream("partner", "a:" + i, UpstreamState.UNHEALTHY, "status 503"));
        }

        assertThat(detect(all.toArray(UpstreamStatus[]::new))).singleElement().satisfies(problem -> {
            assertThat(problem.severity()).isEqualTo(Severity.BAD);
            assertThat(problem.text())
                    .isEqualTo(
                            "5 of 5 upstreams of destination partner fail: a:1 (unhealthy, status 503), a:2 (unhealthy,"
                                    + " status 503), a:3 (unhealthy, status 503), ….");
        });
    }
}
