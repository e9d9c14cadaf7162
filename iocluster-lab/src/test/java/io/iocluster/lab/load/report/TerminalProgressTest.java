package io.iocluster.lab.load.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.lab.load.result.FaultMark;
import io.iocluster.lab.load.result.TimePoint;
import io.iocluster.lab.load.run.Progress;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class TerminalProgressTest {

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final PrintStream err = new PrintStream(out, true, StandardCharsets.UTF_8);

    @Test
    void aTerminalHasOneLineThatIsOverwritten() {
        TerminalProgress progress = new TerminalProgress(err, true);
        progress.progress(at(65));

        assertThat(text())
                .isEqualTo(
                        "\r\u001b[K\u001b[?7l1:05 peak  1,700/s  sent 1,699/s  answered 1,690/s  p99 21.0 ms  errors 3 in all"
                                + "  open 37  lag 12.0 ms  3:05 left\u001b[?7h");
    }

    @Test
    void aPipeGetsALineEveryFiveSecondsAndAtEachPhase() {
        TerminalProgress progress = new TerminalProgress(err, false);
        for (int second = 0; second <= 10; second++) {
            if (second == 7) {
                progress.phaseStarted("after", 7);
            }
            progress.progress(at(second));
        }

        assertThat(text().lines().map(line -> line.substring(0, 7)))
                .containsExactly("0:00 pe", "0:05 pe", "at 0:07", "0:07 pe");
        assertThat(text()).doesNotContain("\u001b");
    }

    @Test
    void faultsAndMessagesGetSeparateLines() {
        TerminalProgress progress = new TerminalProgress(err, false);
        progress.fault(new FaultMark("slow", "target a", 5, null, null));
        progress.fault(new FaultMark("slow", "target a", 5, 65.0, null));
        progress.fault(new FaultMark("slow", "target a", 5, null, "was not undone: \u001b[2J"));
        progress.message("waiting for 3 answers");

        assertThat(text().lines())
                .containsExactly(
                        "at 0:05  fault slow (target a) started",
                        "at 1:05  fault slow (target a) undone",
                        "fault slow (target a): was not undone: \\u{1b}[2J",
                        "waiting for 3 answers");
    }

    @Test
    void figuresThatAreNotKnownAreMarked() {
        new TerminalProgress(err, false)
                .progress(new Progress(
                        new TimePoint(0, "peak", 0, 0, 0, 0, 0, null, null, null, 0), 0, 0, 0, 0, null, null));

        assertThat(text().strip())
                .isEqualTo("0:00 peak  0.0/s  sent 0/s  answered 0/s  max –  errors 0 in all  open 0  lag ?");
    }

    @Test
    void aSecondWithFewCallsShowsTheHighestPercentileThatItSupports() {
        new TerminalProgress(err, false)
                .progress(new Progress(
                        new TimePoint(0, "peak", 400, 400, 400, 0, 0, 9.0, 15.0, null, 30),
                        0,
                        400,
                        400,
                        0,
                        null,
                        null));

        assertThat(text()).contains("  p90 15.0 ms  ");
    }

    private static Progress at(double seconds) {
        return new Progress(
                new TimePoint((long) seconds, "peak", 1_700, 1_699, 1_690, 1, 37, 9.0, 15.0, 21.0, 30),
                seconds,
                1_700,
                50_000,
                3,
                0.012,
                Duration.ofSeconds(185));
    }

    private String text() {
        return out.toString(StandardCharsets.UTF_8);
    }
}
