package io.iocluster.node.metrics;

import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Shows what is again and again, on a thread of its own, for a registry that sends when it likes and asks nobody before. */
final class GaugeRefresher implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(GaugeRefresher.class);
    private static final long MOST_MILLIS = Duration.ofSeconds(5).toMillis();

    private final Runnable show;
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread made = new Thread(task, "iocluster-metrics");
        made.setDaemon(true);
        return made;
    });

    /**
     * Begins at once.
     *
     * @param step how often the registry sends; what it sends is no older than half of that, and 5 s at most
     */
    GaugeRefresher(Duration step, Runnable show) {
        this.show = show;
        thread.scheduleWithFixedDelay(
                this::refresh, 0, Math.min(MOST_MILLIS, step.toMillis() / 2), TimeUnit.MILLISECONDS);
    }

    private void refresh() {
        try {
            show.run();
        } catch (RuntimeException bug) {
            LOG.error("defect while the gauges were refreshed", bug);
        }
    }

    /** Shows it a last time, for what the registry sends at its end. */
    @Override
    public void close() {
        thread.shutdownNow();
        refresh();
    }
}
