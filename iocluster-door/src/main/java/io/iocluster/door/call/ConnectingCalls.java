package io.iocluster.door.call;

import io.iocluster.door.call.CallResult.Failed;
import io.iocluster.door.call.CallResult.Reason;
import io.iocluster.thread.LoopThread;
import io.iocluster.thread.Platform;
import io.iocluster.transport.outage.Backoff;
import io.iocluster.transport.outage.ProblemLog;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Connects to the broker in the background, so that a door starts without it. Until the first connection, calls fail at once. Owns the
 * connection. Thread-safe.
 */
public final class ConnectingCalls implements Calls, Forwarder {

    private static final Logger LOG = LoggerFactory.getLogger(ConnectingCalls.class);

    private final Connector connector;
    private final ProblemLog problem;
    private final Backoff backoff;
    private final CompletableFuture<Void> connected = new CompletableFuture<>();
    private final Platform platform;
    private final LoopThread thread;
    private volatile boolean closed;
    /** Null until the first connection. */
    private volatile QueueCalls calls;

    /** Connects to the broker. */
    @FunctionalInterface
    public interface Connector {

        /**
         * Connects. Blocks for at most a few seconds.
         *
         * @throws IOException if the broker is unreachable; the message is human-readable
         */
        QueueCalls connect() throws IOException;
    }

    /** Starts to connect. */
    public ConnectingCalls(Connector connector, Platform platform) {
        this.connector = connector;
        this.platform = platform;
        this.problem = new ProblemLog(LOG, null, platform);
        this.backoff = new Backoff(Duration.ofMillis(200), Duration.ofSeconds(5), platform.random());
        this.thread = platform.newLoop("iocluster-door-connect", this::connect);
        thread.start();
    }

    /** Tries to connect once. Returns the wait before the next attempt. */
    private long connect() {
        if (closed) {
            return LoopThread.Task.END;
        }
        try {
            calls = connector.connect();
        } catch (IOException | RuntimeException | Error unreachable) {
            if (!closed) {
                problem.raise("Connecting to the broker failed", unreachable);
            }
            return backoff.nextDelayNanos();
        }
        problem.clear();
        connected.complete(null);
        if (closed) {
            calls.close(Duration.ZERO);
        }
        return LoopThread.Task.END;
    }

    /** Waits at most this long for the connection. */
    public void awaitConnected(Duration within) {
        try {
            platform.await(connected, within);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public CompletionStage<CallResult> call(DoorCall call) {
        QueueCalls current = calls;
        return current == null
                ? CompletableFuture.completedFuture(new Failed(
                        Reason.UNAVAILABLE, "the door is not connected to the broker yet; the call was not made"))
                : current.call(call);
    }

    @Override
    public boolean isConnected() {
        return calls != null;
    }

    @Override
    public Forwarding forward(StoredCall call) {
        return calls.forward(call);
    }

    @Override
    public String problem() {
        return calls == null ? problem.problem() : null;
    }

    @Override
    public void close(Duration timeout) {
        closed = true;
        thread.wake();
        QueueCalls current = calls;
        if (current != null) {
            current.close(timeout);
        }
    }
}
