package io.iocluster.node.runtime;

import io.iocluster.thread.DaemonThreadFactory;
import io.iocluster.transport.SourceStatus;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Runs an action once, when the source is connected for the first time. Thread-safe. */
final class ConnectionLog implements AutoCloseable {

    private static final long INTERVAL_MILLIS = 100;

    private final ScheduledExecutorService thread = DaemonThreadFactory.newScheduler("iocluster-connection");
    private final Supplier<SourceStatus> source;
    private final Runnable onConnected;

    private ConnectionLog(Supplier<SourceStatus> source, Runnable onConnected) {
        this.source = source;
        this.onConnected = onConnected;
    }

    /** Starts to check the source, until it is connected or the log is closed. */
    static ConnectionLog start(Supplier<SourceStatus> source, Runnable onConnected) {
        ConnectionLog log = new ConnectionLog(source, onConnected);
        log.thread.scheduleWithFixedDelay(log::check, 0, INTERVAL_MILLIS, TimeUnit.MILLISECONDS);
        return log;
    }

    private void check() {
        if (source.get().connected()) {
            thread.shutdown();
            onConnected.run();
        }
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
