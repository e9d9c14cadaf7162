package io.iocluster.lab.bench.scenario;

import io.iocluster.lab.bench.run.NodeAdminClient;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Looks at a node until it is closed, as an open console does, which asks for what moves each second and for the rest every other
 * second, and as a Prometheus does that scrapes each 5 s.
 */
final class MonitoringLoad implements AutoCloseable {

    private static final List<String> EACH_SECOND = List.of("/api/status", "/api/stats");
    private static final List<String> EACH_OTHER = List.of("/api/destinations", "/api/failures", "/api/tuning");
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final int SCRAPE_SECONDS = 5;

    private final NodeAdminClient admin;
    private final Thread thread;
    private volatile boolean closed;
    private volatile RuntimeException failure;

    /** Begins to look. */
    MonitoringLoad(NodeAdminClient admin) {
        this.admin = admin;
        thread = new Thread(this::look, "onlooker");
        thread.start();
    }

    private void look() {
        try {
            long due = System.nanoTime();
            for (int second = 0; !closed; second++) {
                EACH_SECOND.forEach(admin::getJson);
                if (second % 2 == 0) {
                    EACH_OTHER.forEach(admin::getJson);
                }
                if (second % SCRAPE_SECONDS == SCRAPE_SECONDS / 2) {
                    admin.getText("/metrics");
                }
                due += SECOND;
                for (long left = due - System.nanoTime(); left > 0 && !closed; left = due - System.nanoTime()) {
                    LockSupport.parkNanos(left);
                }
            }
        } catch (RuntimeException broken) {
            failure = broken;
        }
    }

    /** Fails if the node did not answer something. */
    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(thread);
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
