package io.iocluster.kafka.loop;

import io.iocluster.kafka.config.KafkaConnections;
import io.iocluster.kafka.config.KafkaSettings;
import io.iocluster.thread.Platform;
import io.iocluster.transport.outage.PendingQuery;
import io.iocluster.transport.outage.ProblemLog;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaFuture;
import org.slf4j.Logger;

/**
 * Queries the broker periodically, which also shows whether it is reachable. Owns a thread, to which the queries are
 * confined, and an admin client.
 */
public abstract class BrokerMonitor {

    /** How long a query waits for the broker. */
    private static final Duration TIMEOUT = Duration.ofSeconds(6);

    private final Logger log;
    private final KafkaSettings settings;
    private final KafkaConnections connections;
    private final ProblemLog problem;
    private final PendingQuery pending;
    private final ScheduledExecutorService executor;

    private volatile Admin admin;

    /** A query on the monitor's thread. Returns what is wrong, or null. */
    @FunctionalInterface
    protected interface Query {
        String run() throws InterruptedException, ExecutionException, TimeoutException;
    }

    protected BrokerMonitor(Logger log, KafkaConnections connections) {
        Platform platform = connections.platform();
        this.log = log;
        this.settings = connections.settings();
        this.connections = connections;
        this.problem = ProblemLog.ofBroker(log, "not connected yet", settings.bootstrapServers(), platform);
        this.pending = new PendingQuery(platform::nanos);
        this.executor = platform.newScheduler("iocluster-kafka-ends");
    }

    /** Runs a query now and in each {@code kafka.lag-interval}. */
    protected final void schedule(Query query) {
        long interval = settings.lagInterval().toMillis();
        // A topic that is being created is not visible at once.
        long first = settings.createTopics().enabled() ? Math.min(interval, 500) : 0;
        executor.scheduleWithFixedDelay(() -> run(query), first, interval, TimeUnit.MILLISECONDS);
    }

    /** Runs a query soon. Any thread. */
    protected final void runSoon(Query query) {
        try {
            execute(() -> run(query));
        } catch (RejectedExecutionException closed) {
            log.debug("Broker not queried; monitor is closed");
        }
    }

    /**
     * Runs a task on the monitor's thread. Any thread.
     *
     * @throws RejectedExecutionException if the monitor is closed
     */
    protected final void execute(Runnable task) {
        executor.execute(task);
    }

    private void run(Query query) {
        pending.started();
        try {
            String wrong = query.run();
            if (wrong == null) {
                problem.clear();
            } else {
                problem.raise(wrong, null);
            }
        } catch (InterruptedException closing) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException | RuntimeException | Error e) {
            if (!executor.isShutdown()) {
                problem.raise("End offsets cannot be read", e);
            }
        } finally {
            pending.ended();
        }
    }

    /** Returns the admin client; creates it on the monitor's thread. */
    protected final Admin admin() {
        if (admin == null) {
            admin = connections.openAdmin("ends");
        }
        return admin;
    }

    /** Waits for an answer of the broker. */
    protected final <T> T await(KafkaFuture<T> answer)
            throws InterruptedException, ExecutionException, TimeoutException {
        return connections.await(answer, TIMEOUT);
    }

    /** Returns the monotonic clock in nanoseconds. Any thread. */
    protected final long nanos() {
        return connections.platform().nanos();
    }

    /** Returns the admin client, or null before the first query. Any thread. */
    protected final Admin adminIfConnected() {
        return admin;
    }

    /** Returns why the broker does not answer, or null. Any thread. */
    public final String problem() {
        return problem.problem();
    }

    /** Returns whether the last query failed, so that its results are old. Any thread. */
    public final boolean isStale() {
        return problem.problem() != null;
    }

    /** Returns how long the broker has not answered the query that is under way, in milliseconds. Any thread. */
    public final long unansweredMillis() {
        return pending.millis();
    }

    /** Ends the queries. */
    public final void close() {
        executor.shutdownNow();
        Admin last = admin;
        if (last != null) {
            last.close(Duration.ofMillis(500));
        }
    }
}
