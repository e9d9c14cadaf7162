package io.iocluster.pipeline;

import java.time.Duration;

/**
 * Tells whether the node has stood still for too long: it refuses messages and none of those that it holds moves on. Sampled on
 * the supervisor's thread, read on any.
 */
final class Progress {

    static final long SAMPLE_MILLIS = 500;

    private final InFlightWindow window;
    private final Dispatcher dispatcher;
    private final NodeClock clock;

    /** As counted at the last sample; the supervisor's. */
    private long ended;

    private long settled;

    /** In samples, so that time in which the whole node stood still does not count. */
    private volatile int samplesWithout;

    private volatile long sampledNanos;

    Progress(InFlightWindow window, Dispatcher dispatcher, NodeClock clock) {
        this.window = window;
        this.dispatcher = dispatcher;
        this.clock = clock;
        this.sampledNanos = clock.nanos();
    }

    /** To be called every {@value #SAMPLE_MILLIS} ms. */
    @SuppressWarnings("NonAtomicVolatileUpdate") // One writer: the supervisor.
    void sample() {
        long endedNow = window.ended();
        long settledNow = window.settled();
        boolean stands = dispatcher.isRefusing() && window.held() > 0 && endedNow == ended && settledNow == settled;
        ended = endedNow;
        settled = settledNow;
        samplesWithout = stands ? samplesWithout + 1 : 0;
        sampledNanos = clock.nanos();
    }

    /** Whether there was none for this long, or no supervisor to see any. */
    boolean isMissingFor(Duration timeout) {
        return samplesWithout * SAMPLE_MILLIS >= timeout.toMillis() || clock.nanos() - sampledNanos > timeout.toNanos();
    }
}
