package io.iocluster.node.runtime;

import io.iocluster.transport.SourceStatus;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs an action once, when the source is connected for the first time. Thread-safe. */
final class ConnectionLog implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(ConnectionLog.class);
    private static final long INTERVAL_MILLIS = 100;

    private final Supplier<SourceStatus> source;
    private final Runnable onConnected;
    private final ScheduledExecutorService background;
    private volatile boolean closed;

    private ConnectionLog(Supplier<SourceStatus> source, Runnable onConnected, ScheduledExecutorService background) {
        this.source = source;
        this.onConnected = onConnected;
        this.background = background;
    }

    /**
     * Starts to check the source, until it is connected or the log is closed.
     *
     * @param background runs the checks
     */
    static ConnectionLog start(
            Supplier<SourceStatus> source, Runnable onConnected, ScheduledExecutorService background) {
        ConnectionLog log = new ConnectionLog(source, onConnected, background);
        background.execute(log::check);
        return log;
    }

    private void check() {
        if (closed) {
            return;
        }
        if (source.get().connected()) {
            onConnected.run();
            return;
        }
        try {
            background.schedule(this::check, INTERVAL_MILLIS, TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException stopped) {
            LOG.debug("Node stops before its first connection");
        }
    }

    @Override
    public void close() {
        closed = true;
    }
}
