package io.iocluster.node.demo;

import io.iocluster.pipeline.PipelineStatus;
import java.io.PrintStream;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** Shows how a demo gets on: one line that is rewritten for a person, a line each second otherwise. Confined to one thread. */
final class DemoProgress {

    private final PrintStream err;
    private final boolean rewrites;
    private final long every;
    private long shownAt = System.nanoTime();
    private int shownAnswered;

    DemoProgress(PrintStream err, boolean interactive) {
        this.err = err;
        this.rewrites = interactive;
        this.every = TimeUnit.MILLISECONDS.toNanos(interactive ? 200 : 1_000);
    }

    /** Shows a line, unless the last one is too young. */
    void show(DemoResults tally, int requests, PipelineStatus status) {
        long now = System.nanoTime();
        if (now - shownAt < every) {
            return;
        }
        long rate = (tally.answered() - shownAnswered) * TimeUnit.SECONDS.toNanos(1) / (now - shownAt);
        String lag = status.source().lags().isEmpty()
                ? "?"
                : String.format(Locale.ROOT, "%,d", status.source().messages());
        String line = String.format(
                Locale.ROOT,
                "answered %,d of %,d   %,d calls/s   in flight %,d   lag %s",
                tally.answered(),
                requests,
                rate,
                status.inFlight(),
                lag);
        if (rewrites) {
            err.print("\r\u001b[K" + line);
            err.flush();
        } else {
            err.println(line);
        }
        shownAt = now;
        shownAnswered = tally.answered();
    }

    /** Leaves the screen to what comes next. */
    void end() {
        if (rewrites) {
            err.print("\r\u001b[K");
            err.flush();
        }
    }
}
