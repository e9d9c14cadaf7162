package io.iocluster.lab.load.report;

import io.iocluster.lab.load.experiment.Experiment;
import io.iocluster.lab.load.result.FaultMark;
import io.iocluster.lab.load.result.RunResult;
import io.iocluster.lab.load.result.TimePoint;
import io.iocluster.lab.load.run.Progress;
import io.iocluster.lab.load.run.RunListener;
import io.iocluster.node.cli.terminal.PrintableText;
import java.io.PrintStream;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;

/**
 * Shows a run while it runs: one line that is overwritten each second on a terminal, else a new line every five seconds. Events get
 * separate lines. Thread-safe.
 */
public final class TerminalProgress implements RunListener {

    private static final double PLAIN_INTERVAL_SECONDS = 5;
    private static final String CLEAR = "\r\u001b[K";

    /** A line that is longer than the terminal would continue on the next one, where CLEAR does not reach it. */
    private static final String NO_WRAP = "\u001b[?7l";

    private static final String WRAP = "\u001b[?7h";

    private final PrintStream err;
    private final boolean interactive;
    private double lastLine = Double.NEGATIVE_INFINITY;

    /** @param interactive whether the stream is a terminal, so that a line may be rewritten */
    public TerminalProgress(PrintStream err, boolean interactive) {
        this.err = err;
        this.interactive = interactive;
    }

    @Override
    public void started(Experiment experiment, String runId, Instant at) {
        line(experiment.name() + ": run " + runId + ", "
                + Figures.time(experiment.plannedDuration().toMillis() / 1e3)
                + " on " + RunResult.describe(experiment));
    }

    @Override
    public synchronized void phaseStarted(String phase, double seconds) {
        line("at " + Figures.time(seconds) + "  phase " + phase);
        lastLine = Double.NEGATIVE_INFINITY;
    }

    @Override
    public synchronized void progress(Progress progress) {
        String text = text(progress);
        if (interactive) {
            err.print(CLEAR + NO_WRAP + PrintableText.escape(text) + WRAP);
            err.flush();
        } else if (progress.seconds() - lastLine >= PLAIN_INTERVAL_SECONDS) {
            lastLine = progress.seconds();
            line(text);
        }
    }

    private static String text(Progress progress) {
        Duration left = progress.remaining();
        return String.format(
                Locale.ROOT,
                "%s %s  %s  sent %s/s  answered %s/s  %s  errors %s in all  open %s  lag %s%s",
                Figures.time(progress.seconds()),
                progress.point().phase(),
                Figures.rate(progress.intendedRate()),
                Figures.count(progress.point().sent()),
                Figures.count(progress.point().ended()),
                latency(progress.point()),
                Figures.count(progress.totalErrors()),
                Figures.count(progress.point().outstanding()),
                progress.lagSeconds() == null ? "?" : Figures.millis(progress.lagSeconds() * 1e3),
                left == null ? "" : "  " + Figures.time(left.toMillis() / 1e3) + " left");
    }

    /** Returns the highest percentile that the calls of the interval support; with very few calls, their maximum. */
    private static String latency(TimePoint point) {
        if (point.p99Millis() != null) {
            return "p99 " + Figures.millis(point.p99Millis());
        }
        if (point.p90Millis() != null) {
            return "p90 " + Figures.millis(point.p90Millis());
        }
        return "max " + (point.maxMillis() > 0 ? Figures.millis(point.maxMillis()) : Figures.NONE);
    }

    @Override
    public void fault(FaultMark mark) {
        String what = "fault " + mark.name() + " (" + mark.description() + ")";
        if (mark.problem() != null) {
            line(what + ": " + mark.problem());
        } else if (mark.toSeconds() == null) {
            line("at " + Figures.time(mark.fromSeconds()) + "  " + what + " started");
        } else {
            line("at " + Figures.time(mark.toSeconds()) + "  " + what + " undone");
        }
    }

    @Override
    public void message(String text) {
        line(text);
    }

    @Override
    public void ended(RunResult result) {
        if (interactive) {
            err.print(CLEAR);
            err.flush();
        }
    }

    /** Prints a line above the progress. */
    private synchronized void line(String text) {
        err.println((interactive ? CLEAR : "") + PrintableText.escape(text));
    }
}
