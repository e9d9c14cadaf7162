package io.iocluster.pipeline;

import io.iocluster.pipeline.capacity.InFlightWindow;
import io.iocluster.settings.DurationText;
import io.iocluster.thread.Platform;
import io.iocluster.transport.RequestSource;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Stops reading, and waits until the pipeline holds no message. Stateless. */
final class DrainWait {

    private static final Logger LOG = LoggerFactory.getLogger(DrainWait.class);

    private DrainWait() {}

    /** Returns whether every message that was read is settled within this time. Runs {@code idle} then. */
    static boolean awaitIdle(
            RequestSource source, InFlightWindow window, Duration within, Runnable idle, Platform platform) {
        CompletableFuture<Void> settled =
                source.stopIntake().thenCompose(stopped -> window.whenIdle()).toCompletableFuture();
        try {
            if (!platform.await(settled, within)) {
                LOG.warn(
                        "Drain timed out after {}; unanswered messages return to their queue messages={}",
                        DurationText.format(within),
                        window.held());
                return false;
            }
            settled.join();
            idle.run();
            return true;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return false;
        } catch (CompletionException bug) {
            LOG.error("Drain failed because of a defect", bug.getCause());
            return false;
        }
    }
}
