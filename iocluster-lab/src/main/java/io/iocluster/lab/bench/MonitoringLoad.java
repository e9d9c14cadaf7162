package io.iocluster.lab.bench;

import io.iocluster.lab.bench.NodeAdmin.EndlessReader;
import io.iocluster.thread.DaemonThreadFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

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
    private final long scrapeNanos;
    private final List<EndlessReader> readers = new ArrayList<>();
    private final Thread prometheus;
    private volatile boolean closed;
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
        this.scrapeNanos = scrapeInterval.toNanos();
        PARTS.forEach(part -> admin.getText("/api/" + part));
        readers.add(admin.openEndless(EVENTS));
        if (tapped) {
            readers.add(admin.openEndless(TAP));
        }
        prometheus = DaemonThreadFactory.newThread("prometheus", this::scrape);
        prometheus.start();
    }

    private void scrape() {
        try {
            for (long due = System.nanoTime() + scrapeNanos / 2; awaitUntil(due); due += scrapeNanos) {
                admin.getText(METRICS);
            }
        } catch (RuntimeException broken) {
            failure = broken;
        }
    }

    /** Returns false if this was closed first. */
    private boolean awaitUntil(long nanos) {
        for (long left = nanos - System.nanoTime(); left > 0 && !closed; left = nanos - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
        return !closed;
    }

    /** Stops reading. Throws if a request failed or a response ended. */
    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(prometheus);
        readers.forEach(EndlessReader::close);
        try {
            prometheus.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
        if (failure != null) {
            throw failure;
        }
    }
}
