package io.iocluster.pipeline;

import io.iocluster.pipeline.capacity.InFlightWindow;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes a change that no call may meet half made: for some milliseconds nothing is taken in and no attempt begins, while what is
 * under way goes on. No call asks for a lock for that (docs/adr/0015-settings-change-during-a-quiesce.md). For one change
 * at a time.
 */
final class Quiesce {

    private static final Logger LOG = LoggerFactory.getLogger(Quiesce.class);
    private static final Duration PATIENCE = Duration.ofSeconds(1);
    private static final long LOOK_NANOS = 20_000;

    private final InFlightWindow window;
    private final Dispatcher dispatcher;
    private final WorkerPool workers;

    Quiesce(InFlightWindow window, Dispatcher dispatcher, WorkerPool workers) {
        this.window = window;
        this.dispatcher = dispatcher;
        this.workers = workers;
    }

    /** Returns when the change is made and calls begin again. */
    void runQuiesced(Runnable change) {
        window.pauseIntake();
        try {
            boolean takenIn = awaitTakenIn();
            window.pauseStarts();
            if (!workers.awaitStarted(PATIENCE) || !takenIn) {
                LOG.warn("not all that was due has begun, for something is stalled; the settings change all the same");
            }
            change.run();
        } finally {
            window.resume();
        }
    }

    private boolean awaitTakenIn() {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (dispatcher.isOfferInProgress()) {
            if (System.nanoTime() - end > 0) {
                return false;
            }
            LockSupport.parkNanos(LOOK_NANOS);
        }
        return true;
    }
}
