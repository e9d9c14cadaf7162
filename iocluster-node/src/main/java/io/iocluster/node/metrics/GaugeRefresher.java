package io.iocluster.node.metrics;

import io.iocluster.thread.GuardedTask;
import io.iocluster.thread.NodeClock;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Updates the gauges periodically, because an exporting registry gives no notice before it sends. After a failed update they keep their last
 * values.
 */
final class GaugeRefresher implements AutoCloseable {

    private static final long MAX_INTERVAL_MILLIS = Duration.ofSeconds(5).toMillis();

    private final GuardedTask update;
    private final Future<?> repeated;

    /**
     * Starts the updates.
     *
     * @param step interval of the exports; the gauges are at most half of it old, and at most 5 s
     * @param update updates the gauges
     * @param background runs the updates
     */
    GaugeRefresher(Duration step, Runnable update, NodeClock clock, ScheduledExecutorService background) {
        this.update = new GuardedTask("update of the gauges", update, clock);
        this.repeated = background.scheduleWithFixedDelay(
                this.update, 0, Math.min(MAX_INTERVAL_MILLIS, step.toMillis() / 2), TimeUnit.MILLISECONDS);
    }

    /** Updates the gauges once more, because the registry sends them when it closes. */
    @Override
    public void close() {
        repeated.cancel(false);
        update.run();
    }
}
