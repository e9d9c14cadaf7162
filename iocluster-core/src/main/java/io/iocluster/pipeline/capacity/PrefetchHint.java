package io.iocluster.pipeline.capacity;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.iocluster.pipeline.NodeClock;
import io.iocluster.transport.RequestSource;
import java.time.Duration;

/**
 * Tells the source how many messages the node holds: as many as it calls at once, and besides as many as wait for their
 * destinations or for slow reply places, because those would otherwise use up what a broker hands out ahead. In steps, and slow to shrink, because a
 * broker needs a moment for each change. For any thread.
 */
public final class PrefetchHint {

    private static final int STEP = 500;
    private static final long KEPT_NANOS = Duration.ofSeconds(30).toNanos();

    private final RequestSource source;
    private final InFlightWindow window;
    private final NodeClock clock;

    @GuardedBy("this")
    private int beyond;

    @GuardedBy("this")
    private long neededNanos;

    public PrefetchHint(RequestSource source, InFlightWindow window, NodeClock clock) {
        this.source = source;
        this.window = window;
        this.clock = clock;
        this.neededNanos = clock.nanos();
    }

    /** The window has another size. */
    public synchronized void send() {
        source.prefetchHint(window.maxInFlight() + beyond, window.maxUnconfirmed());
    }

    /** Follows the calls that wait now. */
    public synchronized void update() {
        int wanted = (window.waiting() + window.exemptAnswers() + STEP - 1) / STEP * STEP;
        long now = clock.nanos();
        if (wanted >= beyond) {
            neededNanos = now;
        }
        if (wanted > beyond || now - neededNanos > KEPT_NANOS) {
            beyond = wanted;
            neededNanos = now;
            send();
        }
    }
}
