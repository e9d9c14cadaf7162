package io.iocluster.pipeline;

import io.iocluster.pipeline.capacity.InFlightWindow;
import io.iocluster.pipeline.intake.Dispatcher;
import io.iocluster.pipeline.worker.WorkerPool;
import io.iocluster.settings.DurationText;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Applies a change that no call may see half done. For some milliseconds the node accepts no message and starts no attempt; attempts
 * in flight continue. Calls need no lock for that (docs/adr/0015-settings-change-during-a-quiesce.md). Supports one change at a time;
 * confined to the pipeline's lock.
 */
final class Quiesce {

    private static final Logger LOG = LoggerFactory.getLogger(Quiesce.class);
    private static final Duration TIMEOUT = Duration.ofSeconds(1);
    private static final long POLL_NANOS = 20_000;

    private final InFlightWindow window;
    private final Dispatcher dispatcher;
    private final WorkerPool workers;

    Quiesce(InFlightWindow window, Dispatcher dispatcher, WorkerPool workers) {
        this.window = window;
        this.dispatcher = dispatcher;
        this.workers = workers;
    }

    /** Runs the change during a quiesce, and returns when calls start again. */
    void runQuiesced(Runnable change) {
        window.pauseIntake();
        try {
            boolean offerEnded = awaitOfferEnd();
            window.pauseStarts();
            if (!workers.awaitStarted(TIMEOUT) || !offerEnded) {
                LOG.warn(
                        "Quiesce timed out; applying new settings with calls still starting timeout={}",
                        DurationText.format(TIMEOUT));
            }
            change.run();
        } finally {
            window.resume();
        }
    }

    private boolean awaitOfferEnd() {
        long end = System.nanoTime() + TIMEOUT.toNanos();
        while (dispatcher.isOfferInProgress()) {
            if (System.nanoTime() - end > 0) {
                return false;
            }
            LockSupport.parkNanos(POLL_NANOS);
        }
        return true;
    }
}
