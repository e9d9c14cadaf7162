package io.iocluster.pipeline.intake;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.iocluster.pipeline.capacity.InFlightWindow;
import io.iocluster.thread.NodeClock;
import io.iocluster.transport.RequestSource;
import java.time.Duration;

/**
 * Tells the source how many messages the node holds: the calls in flight, plus the calls and answers that wait, because these would
 * otherwise use up what the broker prefetches. The hint changes in steps and shrinks slowly, because a broker needs a moment for
 * each change. Thread-safe.
 */
public final class PrefetchHint {

    private static final int STEP = 500;
    private static final long KEPT_NANOS = Duration.ofSeconds(30).toNanos();

    private final RequestSource source;
    private final InFlightWindow window;
    private final NodeClock clock;

    @GuardedBy("this")
    private int extra;

    @GuardedBy("this")
    private long neededNanos;

    public PrefetchHint(RequestSource source, InFlightWindow window, NodeClock clock) {
        this.source = source;
        this.window = window;
        this.clock = clock;
        this.neededNanos = clock.nanos();
    }

    /** Sends the hint after the window was resized. */
    public synchronized void send() {
        source.prefetchHint(window.maxInFlight() + extra, window.maxUnconfirmed());
    }

    /** Adapts the hint to the calls that wait now. */
    public synchronized void update() {
        int needed = (window.waiting() + window.exemptAnswers() + STEP - 1) / STEP * STEP;
        long now = clock.nanos();
        if (needed >= extra) {
            neededNanos = now;
        }
        if (needed > extra || now - neededNanos > KEPT_NANOS) {
            extra = needed;
            neededNanos = now;
            send();
        }
    }
}
