package io.iocluster.lab.bench;

import io.iocluster.lab.bench.NodeAdmin.EndlessReader;
import io.iocluster.thread.DaemonThreadFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Reads from a node what a visible console and a Prometheus read, until it is closed: each part of the state once, then the event
 * stream; and the metrics again and again. Can also read an open tap. Owned by the main thread.
 */
final class MonitoringLoad implements AutoCloseable {

    /** What the console reads once and then follows. */
    private static final List<String> PARTS = List.of(
            "history",
            "destinations",
            "attempts",
            "apps",
            "caches",
            "failures",
            "tuning",
            "cluster",
            "status",
            "stats");

    private static final String EVENTS = "/api/events?parts=" + String.join(",", PARTS);
    private static final String TAP = "/api/tap";
    private static final String METRICS = "/metrics";

    private final NodeAdmin admin;
    private final List<EndlessReader> readers = new ArrayList<>();
    private final ScheduledExecutorService prometheus = DaemonThreadFactory.newScheduler("prometheus");
    private volatile RuntimeException failure;

    /**
     * Starts reading.
     *
     * @param tapped whether to read a tap with the default rate too
     * @param scrapeInterval time from one scrape to the next. The first one is in the middle of an interval, so that a window has as
     *     many as its length allows
     */
    MonitoringLoad(NodeAdmin admin, boolean tapped, Duration scrapeInterval) {
        this.admin = admin;
        PARTS.forEach(part -> admin.getText("/api/" + part));
        readers.add(admin.openEndless(EVENTS));
        if (tapped) {
            readers.add(admin.openEndless(TAP));
        }
        long nanos = scrapeInterval.toNanos();
        prometheus.scheduleAtFixedRate(this::scrape, nanos / 2, nanos, TimeUnit.NANOSECONDS);
    }

    private void scrape() {
        try {
            admin.getText(METRICS);
        } catch (RuntimeException broken) {
            failure = broken;
        }
    }

    /** Stops reading. Throws if a request failed or a response ended. */
    @Override
    public void close() {
        prometheus.shutdown();
        readers.forEach(EndlessReader::close);
        try {
            prometheus.awaitTermination(1, TimeUnit.MINUTES);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
        if (failure != null) {
            throw failure;
        }
    }
}
