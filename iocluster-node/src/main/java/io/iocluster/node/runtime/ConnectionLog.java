package io.iocluster.node.runtime;

import io.iocluster.transport.SourceStatus;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Runs an action once, when the source is connected for the first time. Thread-safe. */
final class ConnectionLog implements AutoCloseable {

    private static final Executor NEXT_CHECK = CompletableFuture.delayedExecutor(100, TimeUnit.MILLISECONDS);

    private final Supplier<SourceStatus> source;
    private final Runnable onConnected;
    private volatile boolean closed;

    private ConnectionLog(Supplier<SourceStatus> source, Runnable onConnected) {
        this.source = source;
        this.onConnected = onConnected;
    }

    /** Starts to check the source, until it is connected or the log is closed. */
    static ConnectionLog start(Supplier<SourceStatus> source, Runnable onConnected) {
        ConnectionLog log = new ConnectionLog(source, onConnected);
        log.check();
        return log;
    }

    private void check() {
        if (closed) {
            return;
        }
        if (source.get().connected()) {
            onConnected.run();
        } else {
            NEXT_CHECK.execute(this::check);
        }
    }

    @Override
    public void close() {
        closed = true;
    }
}
