package io.iocluster.lab.bench.scenario;

import io.iocluster.lab.bench.run.NodeAdminClient;
import io.iocluster.thread.DaemonThreadFactory;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Polls a node like a console without an event stream and a Prometheus, until it is closed: some paths every second,
 * others every two seconds, and a scrape every 5 s. Can also read an open tap. Owned by the main thread.
 */
final class MonitoringLoad implements AutoCloseable {

    private static final List<String> EVERY_SECOND = List.of("/api/status", "/api/stats");
    private static final List<String> EVERY_TWO_SECONDS = List.of(
            "/api/history",
            "/api/destinations",
            "/api/attempts",
            "/api/apps",
            "/api/failures",
            "/api/tuning",
            "/api/cluster");
    private static final String TAP = "/api/tap";
    private static final long NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final int SCRAPE_SECONDS = 5;

    private final NodeAdminClient admin;
    private final Thread thread;
    private final Optional<NodeAdminClient.LineReader> tap;
    private volatile boolean closed;
    private volatile RuntimeException failure;

    /**
     * Starts polling.
     *
     * @param tapped whether to read a tap with the default rate too
     */
    MonitoringLoad(NodeAdminClient admin, boolean tapped) {
        this.admin = admin;
        tap = tapped ? Optional.of(admin.openLines(TAP)) : Optional.empty();
        thread = DaemonThreadFactory.newThread("monitoring", this::poll);
        thread.start();
    }

    private void poll() {
        try {
            long due = System.nanoTime();
            for (int second = 0; !closed; second++) {
                EVERY_SECOND.forEach(admin::getJson);
                if (second % 2 == 0) {
                    EVERY_TWO_SECONDS.forEach(admin::getJson);
                }
                if (second % SCRAPE_SECONDS == SCRAPE_SECONDS / 2) {
                    admin.getText("/metrics");
                }
                due += NANOS_PER_SECOND;
                for (long left = due - System.nanoTime(); left > 0 && !closed; left = due - System.nanoTime()) {
                    LockSupport.parkNanos(left);
                }
            }
        } catch (RuntimeException broken) {
            failure = broken;
        }
    }

    /** Stops polling. Throws if a request failed. */
    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(thread);
        tap.ifPresent(NodeAdminClient.LineReader::close);
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
        if (failure != null) {
            throw failure;
        }
    }
}
