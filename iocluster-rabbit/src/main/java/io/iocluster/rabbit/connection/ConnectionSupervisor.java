package io.iocluster.rabbit.connection;

import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ShutdownSignalException;
import io.iocluster.thread.DaemonThreadFactory;
import io.iocluster.transport.outage.Backoff;
import io.iocluster.transport.outage.ProblemLog;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps one connection and its {@link Attachment} open. Owns a thread that makes every call that blocks on the broker: it connects
 * with backoff, attaches, maintains, and reconnects after the loss of the connection or channel, until {@link #close}.
 * Thread-safe.
 */
public final class ConnectionSupervisor implements Runnable {

    private static final Logger LOG = LoggerFactory.getLogger(ConnectionSupervisor.class);
    private static final long MAINTAIN_INTERVAL_NANOS = Duration.ofSeconds(1).toNanos();
    /** A connection lost before this time counts as a failure: the backoff grows and the problem remains. */
    private static final long STABLE_NANOS = Duration.ofSeconds(5).toNanos();

    private static final int ABORT_MILLIS = 2_000;

    private final Connector connector;
    private final String role;
    private final EventLoopThread loop;
    private final Attachment attachment;
    private final boolean logsOutages;
    private final Thread thread;
    private final Backoff backoff = new Backoff(Duration.ofMillis(200), Duration.ofSeconds(10));
    private final ProblemLog problem;

    private volatile Connection connection;
    private volatile boolean wakeUpRequested;
    private volatile boolean closing;
    private volatile int closeWithinMillis;
    private boolean lostEarly;

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
            Connector connector, String role, EventLoopThread loop, Attachment attachment, boolean logsOutages) {
        this.connector = connector;
        this.problem = ProblemLog.ofBroker(LOG, "not connected yet", connector.addresses());
        this.role = role;
        this.loop = loop;
        this.attachment = attachment;
        this.logsOutages = logsOutages;
        this.thread = DaemonThreadFactory.newThread("iocluster-rabbit-" + role + "-link", this);
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
        wakeUpRequested = true;
        LockSupport.unpark(thread);
    }

    @Override
    public void run() {
        while (!closing) {
            try {
                connection = connector.open(role, loop, attachment::newInboundGuard);
                use(connection);
            } catch (Throwable lost) {
                report(lost);
            }
            closeConnection();
            backOff();
        }
    }

    private void use(Connection fresh) throws IOException {
        fresh.addShutdownListener(cause -> wakeUp());
        try {
            attachment.attach(fresh);
            long since = System.nanoTime();
            if (!lostEarly) {
                problem.clear();
            }
            lostEarly = true;
            while (!closing) {
                if (!fresh.isOpen()) {
                    throw new IOException(FailureText.of(fresh.getCloseReason()));
                }
                attachment.maintain();
                if (System.nanoTime() - since > STABLE_NANOS) {
                    lostEarly = false;
                    problem.clear();
                    backoff.reset();
                }
                await(MAINTAIN_INTERVAL_NANOS);
            }
        } finally {
            attachment.detach();
        }
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

    private void backOff() {
        backoff.sleepUnless(() -> closing);
    }

    private void await(long nanos) {
        if (!wakeUpRequested) {
            LockSupport.parkNanos(this, nanos);
        }
        wakeUpRequested = false;
    }

    /** Closes the connection and ends the thread. Returns at once. */
    public void requestClose() {
        closeWithinMillis = ABORT_MILLIS;
        closing = true;
        LockSupport.unpark(thread);
    }

    /** Closes the connection and ends the thread. Blocks for at most this time; then aborts the connection. */
    public void close(Duration within) {
        closeWithinMillis = (int) Math.max(1, within.toMillis());
        closing = true;
        LockSupport.unpark(thread);
        try {
            thread.join(Math.max(1, within.toMillis()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        Connection last = connection;
        if (last != null) {
            LOG.warn("Connection did not close in time and is aborted role={} timeout={}", role, within);
            last.abort(1);
            thread.interrupt();
        }
    }
}
