package io.iocluster.pipeline;

import io.iocluster.pipeline.capacity.InFlightWindow;
import io.iocluster.pipeline.intake.Dispatcher;
import io.iocluster.pipeline.worker.WorkerPool;
import io.iocluster.settings.DurationText;
import io.iocluster.thread.Platform;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Applies a change that no call may see half done. For some milliseconds the node accepts no message and starts no attempt; attempts
 * in flight continue. Calls need no lock for that (docs/adr/0014-the-configuration-file-is-reloaded.md). Supports one change at a time;
 * confined to the pipeline's lock.
 */
final class Quiesce {

    private static final Logger LOG = LoggerFactory.getLogger(Quiesce.class);
    private static final Duration TIMEOUT = Duration.ofSeconds(1);
    private static final Duration POLL = Duration.ofMillis(1);

    private final InFlightWindow window;
    private final Dispatcher dispatcher;
    private final WorkerPool workers;
    private final Platform platform;

    Quiesce(InFlightWindow window, Dispatcher dispatcher, WorkerPool workers, Platform platform) {
        this.window = window;
        this.dispatcher = dispatcher;
        this.workers = workers;
        this.platform = platform;
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
        long end = platform.nanos() + TIMEOUT.toNanos();
        try {
            while (dispatcher.isOfferInProgress()) {
                if (platform.nanos() - end > 0) {
                    return false;
                }
                platform.sleep(POLL);
            }
            return true;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
