package io.iocluster.pipeline.intake;

import io.iocluster.pipeline.capacity.InFlightWindow;
import io.iocluster.thread.NodeClock;
import java.time.Duration;

/**
 * Detects that the node makes no progress for too long: it refuses messages, and none of the held ones advances. Sampled on the
 * supervisor's thread, read on any.
 */
public final class ProgressMonitor {

    public static final long SAMPLE_INTERVAL_MILLIS = 500;

    private final InFlightWindow window;
    private final Dispatcher dispatcher;
    private final NodeClock clock;

    /** Both counts are those of the last sample. Confined to the supervisor's thread. */
    private long lastEnded;

    private long lastSettled;

    /** Counts samples and not time, so that a pause of the whole process is not taken for a stall. */
    private volatile int samplesWithoutProgress;

    private volatile long sampledNanos;

    public ProgressMonitor(InFlightWindow window, Dispatcher dispatcher, NodeClock clock) {
        this.window = window;
        this.dispatcher = dispatcher;
        this.clock = clock;
        this.sampledNanos = clock.nanos();
    }

    /** Takes a sample. Called every {@value #SAMPLE_INTERVAL_MILLIS} ms. */
    @SuppressWarnings("NonAtomicVolatileUpdate") // One writer: the supervisor.
    public void sample() {
        long endedNow = window.endedCalls();
        long settledNow = window.settledCalls();
        boolean stalled =
                dispatcher.isRefusing() && window.held() > 0 && endedNow == lastEnded && settledNow == lastSettled;
        lastEnded = endedNow;
        lastSettled = settledNow;
        samplesWithoutProgress = stalled ? samplesWithoutProgress + 1 : 0;
        sampledNanos = clock.nanos();
    }

    /** Returns whether there was no progress for this long, or no sample. */
    public boolean isStalledFor(Duration timeout) {
        return samplesWithoutProgress * SAMPLE_INTERVAL_MILLIS >= timeout.toMillis()
                || clock.nanos() - sampledNanos > timeout.toNanos();
    }
}
