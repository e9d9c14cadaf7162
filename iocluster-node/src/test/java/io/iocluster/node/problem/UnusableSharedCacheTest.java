package io.iocluster.node.problem;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.cache.shared.SharedCacheStatus;
import io.iocluster.node.TestStatuses;
import io.iocluster.node.problem.Problem.Kind;
import io.iocluster.testkit.record.RecordCopy;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class UnusableSharedCacheTest {

    private static List<String> problems(Duration outage, String reason, String writeProblem) {
        SharedCacheStatus cache = RecordCopy.with(
                TestStatuses.SHARED_CACHE, "outage", outage, "reason", reason, "writeProblem", writeProblem);
        List<Problem> problems = ProblemDetector.detect(new NodeSnapshot(
                TestStatuses.CONNECTED,
                "broker:9092",
                TestStatuses.NO_FILE,
                List.of(),
                List.of(),
                Optional.of(cache),
                List.of(),
                CodeCounts.NONE));
        assertThat(problems).allMatch(each -> each.kind() == Kind.SHARED_CACHE_OUT);
        return problems.stream().map(Problem::text).toList();
    }

    @Test
    void reportsACacheThatHasNotBeenUsableForAWhile() {
        assertThat(problems(Duration.ofSeconds(9), "connection refused", null)).isEmpty();
        assertThat(problems(Duration.ofSeconds(10), "connection refused", null))
                .containsExactly("The shared cache at redis://cache.example:6379 cannot be used: connection refused.");
    }

    @Test
    void reportsACacheThatRefusesWrites() {
        assertThat(problems(Duration.ZERO, null, "OOM command not allowed; raise maxmemory"))
                .containsExactly("The shared cache at redis://cache.example:6379 does not store responses: OOM command"
                        + " not allowed; raise maxmemory.");
    }

    @Test
    void reportsNothingWhileTheCacheIsUsed() {
        assertThat(problems(Duration.ZERO, null, null)).isEmpty();
    }
}
