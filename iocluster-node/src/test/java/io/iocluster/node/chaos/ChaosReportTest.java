package io.iocluster.node.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.testkit.chaos.ChaosPlan;
import io.iocluster.testkit.chaos.invariant.Violation;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class ChaosReportTest {

    private static final Violation VIOLATION = new Violation("no request is open at rest", "open=1", List.of());

    @Test
    void aViolationOnAQuietMachineIsAFailure() {
        ChaosReport quiet = report(7, ChaosReport.OVERLOADED - 0.1, VIOLATION);

        assertThat(quiet.line()).contains("FAILED");
        assertThat(quiet.details("replay")).doesNotContain("overloaded");
    }

    @Test
    void aViolationOnAnOverloadedMachineSaysThatItMustBeReplayed() {
        ChaosReport overloaded = report(7, ChaosReport.OVERLOADED, VIOLATION);

        assertThat(overloaded.isGood()).isFalse();
        assertThat(overloaded.line()).contains("OVERLOADED").contains("3.0").contains("no request is open at rest");
        assertThat(overloaded.details("replay")).contains("a busy thread took 3.0 times its CPU time");
    }

    @Test
    void aGoodRunIsOkOnAnyMachine() {
        assertThat(report(7, 50).line()).contains("ok").doesNotContain("OVERLOADED");
    }

    @Test
    void theSummaryNamesTheSeedsToReplay() {
        List<ChaosReport> bad = List.of(report(7, 1, VIOLATION), report(9, 8.5, VIOLATION));

        assertThat(ChaosReport.summary(10, List.of())).isEqualTo("10 seeds, 0 with violations");
        assertThat(ChaosReport.summary(10, bad))
                .isEqualTo(
                        "10 seeds, 2 with violations 7 9; replay on a quiet machine, because this one was overloaded: 9");
    }

    private static ChaosReport report(long seed, double contention, Violation... violations) {
        return new ChaosReport(
                new ChaosPlan(seed, List.of(), List.of()),
                1,
                1,
                0,
                0,
                List.of(violations),
                List.of(),
                List.of(),
                Duration.ofSeconds(2),
                Duration.ofSeconds(1),
                contention,
                Path.of("logs"));
    }
}
