package io.iocluster.rabbit.connection;

import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ShutdownSignalException;
import io.iocluster.thread.LoopThread;
import io.iocluster.thread.Platform;
import io.iocluster.transport.outage.Backoff;
import io.iocluster.transport.outage.ProblemLog;
import java.io.IOException;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps one connection and its {@link Attachment} open. Owns a loop that makes every call that blocks on the broker: it connects
 * with backoff, attaches, maintains, and reconnects after the loss of the connection or channel, until {@link #close}.
 * Thread-safe.
 */
public final class ConnectionSupervisor {

    private static final Logger LOG = LoggerFactory.getLogger(ConnectionSupervisor.class);
    private static final long MAINTAIN_INTERVAL_NANOS = Duration.ofSeconds(1).toNanos();
    /** A connection lost before this time counts as a failure: the backoff grows and the problem remains. */
    private static final long STABLE_NANOS = Duration.ofSeconds(5).toNanos();

    private static final int ABORT_MILLIS = 2_000;

    private final RabbitConnections connections;
    private final String role;
    private final EventLoopThread loop;
    private final Attachment attachment;
    private final boolean logsOutages;
    private final Platform platform;
    private final LoopThread thread;
    private final Backoff backoff;
    private final ProblemLog problem;

    private volatile Connection connection;
    private volatile boolean closing;
    private volatile int closeWithinMillis;
    private Step next = Step.CONNECT;
    private boolean lostEarly;
    private long attachedNanos;
    private long reconnectNanos;

    /** What the next run does. A failure detaches, closes the connection, and continues with the backoff. */
    private enum Step {
        CONNECT,
        ATTACH,
        MAINTAIN,
        BACK_OFF
    }

    /** The user of a connection. Called only on the supervisor's thread, where it may block on the broker. */
    public interface Attachment {

        /** Returns a handler for the next connection that sees each frame before the client; null for none. */
        default InboundGuard newInboundGuard() {
            return null;
        }

        /** Starts to use a new connection. */
        void attach(Connection fresh) throws IOException;

        /**
         * Applies changes. Called after each {@link ConnectionSupervisor#wakeUp} and every second.
         *
         * @throws IOException if the connection must be replaced
         */
        void maintain() throws IOException;

        /** Stops using the connection. Called once after each {@link #attach}, even after one that failed. */
        void detach();
    }

    /**
     * Creates a supervisor that is not started yet.
     *
     * @param loop reads and writes the connection
     * @param logsOutages whether to log when the broker is unreachable; true for one supervisor of a node, so that the log has it
     *     once
     */
    public ConnectionSupervisor(
            RabbitConnections connections,
            String role,
            EventLoopThread loop,
            Attachment attachment,
            boolean logsOutages,
            Platform platform) {
        this.connections = connections;
        this.problem = ProblemLog.ofBroker(LOG, "not connected yet", connections.addresses(), platform);
        this.role = role;
        this.loop = loop;
        this.attachment = attachment;
        this.logsOutages = logsOutages;
        this.platform = platform;
        this.backoff = new Backoff(Duration.ofMillis(200), Duration.ofSeconds(10), platform.random());
        this.thread = platform.newLoop("iocluster-rabbit-" + role + "-link", this::step);
    }

    public void start() {
        thread.start();
    }

    /** Returns why there is no connection, for the operator; null if there is one. */
    public String problem() {
        return problem.problem();
    }

    /** Returns the current connection; null if there is none. */
    public Connection connection() {
        return connection;
    }

    /** Makes the supervisor call {@link Attachment#maintain} soon. */
    public void wakeUp() {
        thread.wake();
    }

    private long step() {
        try {
            return switch (next) {
                case CONNECT -> connect();
                case ATTACH -> attach();
                case MAINTAIN -> maintain();
                case BACK_OFF -> backOff();
            };
        } catch (Throwable lost) {
            return disconnect(lost);
        }
    }

    private long connect() throws IOException {
        if (closing) {
            return LoopThread.Task.END;
        }
        Connection fresh = connections.open(role, loop, attachment::newInboundGuard);
        connection = fresh;
        fresh.addShutdownListener(cause -> wakeUp());
        next = Step.ATTACH;
        return 0;
    }

    private long attach() throws IOException {
        next = Step.MAINTAIN; // A failure must detach.
        attachment.attach(connection);
        attachedNanos = platform.nanos();
        if (!lostEarly) {
            problem.clear();
        }
        lostEarly = true;
        return 0;
    }

    private long maintain() throws IOException {
        if (closing) {
            return disconnect(null);
        }
        Connection open = connection;
        if (!open.isOpen()) {
            throw new IOException(FailureText.of(open.getCloseReason()));
        }
        attachment.maintain();
        if (platform.nanos() - attachedNanos > STABLE_NANOS) {
            lostEarly = false;
            problem.clear();
            backoff.reset();
        }
        return MAINTAIN_INTERVAL_NANOS;
    }

    /** @param lost null if the supervisor closes */
    private long disconnect(Throwable lost) {
        boolean attached = next == Step.MAINTAIN;
        next = Step.BACK_OFF;
        try {
            if (attached) {
                attachment.detach();
            }
            if (lost != null) {
                report(lost);
            }
        } finally {
            closeConnection();
            reconnectNanos = platform.nanos() + backoff.nextDelayNanos();
        }
        return backOff();
    }

    private long backOff() {
        if (closing) {
            return LoopThread.Task.END;
        }
        long wait = reconnectNanos - platform.nanos();
        if (wait > 0) {
            return wait; // Also after a wake-up.
        }
        next = Step.CONNECT;
        return 0;
    }

    private void report(Throwable lost) {
        if (closing) {
            return;
        }
        Connection last = connection;
        if (logsOutages || (last != null && last.isOpen())) {
            problem.raise("RabbitMQ connection failed (" + role + "): " + FailureText.of(lost), null);
        }
        if (lost instanceof IOException || lost instanceof ShutdownSignalException) {
            LOG.debug("Connection lost role={}", role, lost);
        } else {
            LOG.error("Unexpected exception on the supervisor thread; reconnecting role={}", role, lost);
        }
    }

    private void closeConnection() {
        Connection last = connection;
        connection = null;
        if (last == null) {
            return;
        }
        try {
            if (closing && last.isOpen()) {
                last.close(closeWithinMillis);
                return;
            }
        } catch (IOException | RuntimeException | Error e) {
            LOG.debug("Closing the connection failed role={}", role, e);
        }
        last.abort(ABORT_MILLIS);
    }

    /** Closes the connection and ends the loop. Returns at once. */
    public void requestClose() {
        closeWithinMillis = ABORT_MILLIS;
        closing = true;
        thread.wake();
    }

    /** Closes the connection and ends the loop. Blocks for at most this time; then aborts the connection. */
    public void close(Duration within) {
        closeWithinMillis = (int) Math.max(1, within.toMillis());
        closing = true;
        thread.join(within);
        Connection last = connection;
        if (last != null) {
            LOG.warn("Connection did not close in time and is aborted role={} timeout={}", role, within);
            last.abort(1);
            thread.interrupt();
        }
    }
}
