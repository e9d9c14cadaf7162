package io.iocluster.rabbit.connection;

import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ShutdownSignalException;
import io.iocluster.transport.outage.Backoff;
import io.iocluster.transport.outage.ProblemLog;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps one connection open, and what lives on it. Its thread does all that waits for the broker: it connects with backoff,
 * attaches, tends, and when connection or channel is lost begins anew; nothing ends it but {@link #close}. Other methods may be
 * called from any thread.
 */
public final class ConnectionSupervisor implements Runnable {

    private static final Logger LOG = LoggerFactory.getLogger(ConnectionSupervisor.class);
    private static final long TEND_NANOS = Duration.ofSeconds(1).toNanos();
    /** What is lost before is no success: the next wait is longer, and the problem stands. */
    private static final long CALM_NANOS = Duration.ofSeconds(5).toNanos();

    private static final int LET_GO_MILLIS = 2_000;

    private final Connector connector;
    private final String role;
    private final EventLoopThread loop;
    private final Attachment attachment;
    private final boolean tellsOutages;
    private final Thread thread;
    private final Backoff backoff = new Backoff(Duration.ofMillis(200), Duration.ofSeconds(10));
    private final ProblemLog problem = new ProblemLog(LOG, "not connected yet");

    private volatile Connection connection;
    private volatile boolean nudged;
    private volatile boolean closing;
    private volatile int closeWithinMillis;
    private boolean lostSoon;

    /** What lives on a connection. Called on the link's thread alone, where it may wait for the broker. */
    public interface Attachment {

        /** Returns a handler for the next connection that sees each frame before the client; null for none. */
        default InboundGuard newInboundGuard() {
            return null;
        }

        /** Begins to use a new connection. */
        void attach(Connection fresh) throws IOException;

        /**
         * Sees to what has changed; called after each {@link ConnectionSupervisor#wakeUp}, and each second.
         *
         * @throws IOException if it cannot use the connection any more
         */
        void maintain() throws IOException;

        /** The connection is over, or will be at once; called once after each {@link #attach}, also one that failed. */
        void detach();
    }

    /**
     * Not started yet.
     *
     * @param loop does the connection's reading and writing
     * @param tellsOutages whether the log hears of a broker that is away, which is said once and not by every link
     */
    public ConnectionSupervisor(
            Connector connector, String role, EventLoopThread loop, Attachment attachment, boolean tellsOutages) {
        this.connector = connector;
        this.role = role;
        this.loop = loop;
        this.attachment = attachment;
        this.tellsOutages = tellsOutages;
        this.thread = new Thread(this, "iocluster-rabbit-" + role + "-link");
        this.thread.setDaemon(true);
    }

    public void start() {
        thread.start();
    }

    /** Why there is no connection, for people; null if there is one. */
    public String problem() {
        return problem.problem();
    }

    /** The connection as it is now; null if there is none. */
    public Connection connection() {
        return connection;
    }

    /** Has the attachment tended soon. */
    public void wakeUp() {
        nudged = true;
        LockSupport.unpark(thread);
    }

    @Override
    public void run() {
        while (!closing) {
            try {
                connection = connector.open(role, loop, attachment::newInboundGuard);
                use(connection);
            } catch (Throwable lost) {
                tell(lost);
            }
            letGo();
            rest();
        }
    }

    private void use(Connection fresh) throws IOException {
        fresh.addShutdownListener(cause -> wakeUp());
        try {
            attachment.attach(fresh);
            long since = System.nanoTime();
            if (!lostSoon) {
                problem.clear();
            }
            lostSoon = true;
            while (!closing) {
                if (!fresh.isOpen()) {
                    throw new IOException(FailureText.of(fresh.getCloseReason()));
                }
                attachment.maintain();
                if (System.nanoTime() - since > CALM_NANOS) {
                    lostSoon = false;
                    problem.clear();
                    backoff.reset();
                }
                await(TEND_NANOS);
            }
        } finally {
            attachment.detach();
        }
    }

    private void tell(Throwable lost) {
        if (closing) {
            return;
        }
        Connection last = connection;
        if (tellsOutages || (last != null && last.isOpen())) {
            problem.raise("RabbitMQ cannot be used (" + role + "): " + FailureText.of(lost), null);
        }
        if (lost instanceof IOException || lost instanceof ShutdownSignalException) {
            LOG.debug("The cause", lost);
        } else {
            LOG.error("The link goes on after a defect", lost);
        }
    }

    private void letGo() {
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
        } catch (IOException | RuntimeException e) {
            LOG.debug("The connection did not close cleanly", e);
        }
        last.abort(LET_GO_MILLIS);
    }

    private void rest() {
        backoff.sleepUnless(() -> closing);
    }

    private void await(long nanos) {
        if (!nudged) {
            LockSupport.parkNanos(this, nanos);
        }
        nudged = false;
    }

    /** Closes the connection properly within the time, and ends the thread. */
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
            LOG.warn("The connection ({}) did not close within {}", role, within);
            last.abort(1);
            thread.interrupt();
        }
    }
}
