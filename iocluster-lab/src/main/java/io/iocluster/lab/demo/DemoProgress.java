package io.iocluster.lab.demo;

import io.iocluster.pipeline.PipelineStatus;
import java.io.PrintStream;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** Shows the progress of a demo: a line that is overwritten on a terminal, else a new line each second. Confined to one thread. */
final class DemoProgress {

    private final PrintStream err;
    private final boolean interactiveLine;
    private final long intervalNanos;
    private long shownAt = System.nanoTime();
    private int shownAnswered;

    DemoProgress(PrintStream err, boolean interactive) {
        this.err = err;
        this.interactiveLine = interactive;
        this.intervalNanos = TimeUnit.MILLISECONDS.toNanos(interactive ? 200 : 1_000);
    }

    /** Prints the progress if the interval has passed since the last line. */
    void show(DemoResults results, int requests, PipelineStatus status) {
        long now = System.nanoTime();
        if (now - shownAt < intervalNanos) {
            return;
        }
        long rate = (results.answered() - shownAnswered) * TimeUnit.SECONDS.toNanos(1) / (now - shownAt);
        String lag = status.source().lags().isEmpty()
                ? "?"
                : String.format(Locale.ROOT, "%,d", status.source().messages());
        String line = String.format(
                Locale.ROOT,
                "answered %,d of %,d   %,d calls/s   in flight %,d   lag %s",
                results.answered(),
                requests,
                rate,
                status.inFlight(),
                lag);
        if (interactiveLine) {
            err.print("\r\u001b[K" + line);
            err.flush();
        } else {
            err.println(line);
        }
        shownAt = now;
        shownAnswered = results.answered();
    }

    /** Clears the progress line on a terminal. */
    void end() {
        if (interactiveLine) {
            err.print("\r\u001b[K");
            err.flush();
        }
    }
}
