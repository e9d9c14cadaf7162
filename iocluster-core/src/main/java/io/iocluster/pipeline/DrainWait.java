package io.iocluster.pipeline;

import io.iocluster.pipeline.capacity.InFlightWindow;
import io.iocluster.settings.DurationText;
import io.iocluster.transport.RequestSource;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Stops reading, and waits until the pipeline holds no message. Stateless. */
final class DrainWait {

    private static final Logger LOG = LoggerFactory.getLogger(DrainWait.class);

    private DrainWait() {}

    /** Returns whether every message that was read is settled within this time. Runs {@code idle} then. */
    static boolean awaitIdle(RequestSource source, InFlightWindow window, Duration within, Runnable idle) {
        try {
            source.stopIntake()
                    .thenCompose(stopped -> window.whenIdle())
                    .toCompletableFuture()
                    .get(within.toMillis(), TimeUnit.MILLISECONDS);
            idle.run();
            return true;
        } catch (TimeoutException late) {
            LOG.warn(
                    "Drain timed out after {}; unanswered messages return to their queue messages={}",
                    DurationText.format(within),
                    window.held());
            return false;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return false;
        } catch (ExecutionException bug) {
            LOG.error("Drain failed because of a defect", bug.getCause());
            return false;
        }
    }
}
