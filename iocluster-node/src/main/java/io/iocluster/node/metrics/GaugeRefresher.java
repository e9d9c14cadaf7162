package io.iocluster.node.metrics;

import io.iocluster.thread.DaemonThreadFactory;
import java.time.Duration;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Updates the gauges periodically on its own thread, because an exporting registry gives no notice before it sends. */
final class GaugeRefresher implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(GaugeRefresher.class);
    private static final long MAX_INTERVAL_MILLIS = Duration.ofSeconds(5).toMillis();

    private final Runnable update;
    private final ScheduledExecutorService executor = DaemonThreadFactory.newScheduler("iocluster-metrics");

    /**
     * Starts the updates.
     *
     * @param step interval of the exports; the gauges are at most half of it old, and at most 5 s
     * @param update updates the gauges
     */
    GaugeRefresher(Duration step, Runnable update) {
        this.update = update;
        executor.scheduleWithFixedDelay(
                this::refresh, 0, Math.min(MAX_INTERVAL_MILLIS, step.toMillis() / 2), TimeUnit.MILLISECONDS);
    }

    private void refresh() {
        try {
            update.run();
        } catch (RuntimeException bug) {
            LOG.error("Gauges could not be updated because of a defect; they keep their last values", bug);
        }
    }

    /** Updates the gauges once more, because the registry sends them when it closes. */
    @Override
    public void close() {
        executor.shutdownNow();
        refresh();
    }
}
