package io.iocluster.node.consul;

import io.iocluster.node.config.ConsulSettings;
import io.iocluster.thread.GuardedTask;
import io.iocluster.thread.LoopThread;
import io.iocluster.thread.Platform;
import io.iocluster.transport.outage.Backoff;
import java.io.IOException;
import java.time.Duration;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs a task against the agent repeatedly: after the pause that the task returns, or with growing backoff after
 * failures. Owns its thread.
 */
final class AgentLoop implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(AgentLoop.class);

    private final AgentTask task;
    private final Consumer<String> onFailure;
    private final Backoff backoff;
    private final GuardedTask guarded;
    private final LoopThread thread;
    private long pauseNanos;
    private volatile boolean closed;

    /** One iteration of the loop. */
    interface AgentTask {

        /**
         * Runs one iteration.
         *
         * @return nanoseconds until the next iteration; zero or negative for no pause
         * @throws IOException if the agent does not answer as expected; the message is for operators
         */
        long run() throws IOException, InterruptedException;
    }

    /** @param onFailure receives the reason of each failure, for operators */
    AgentLoop(String name, ConsulSettings settings, AgentTask task, Consumer<String> onFailure, Platform platform) {
        this.task = task;
        this.onFailure = onFailure;
        this.backoff = new Backoff(settings.baseDelay(), settings.maxDelay(), platform.random());
        this.guarded = new GuardedTask(name, this::runOnce, platform);
        this.thread = platform.newLoop(name, this::run);
    }

    /** Starts the first iteration. Call it once. */
    void start() {
        thread.start();
    }

    private long run() {
        if (!closed) {
            guarded.run();
        }
        return closed ? LoopThread.Task.END : Math.max(0, pauseNanos);
    }

    private void runOnce() {
        pauseNanos = backoff.nextDelayNanos();
        try {
            pauseNanos = task.run();
            backoff.reset();
        } catch (InterruptedException stopped) {
            LOG.debug("Query interrupted, because the loop is closed");
        } catch (IOException failed) {
            onFailure.accept(failed.getMessage());
        } catch (RuntimeException | Error bug) {
            onFailure.accept("a defect in the node; its log has the details");
            throw bug;
        }
    }

    /** Interrupts the current iteration and starts no other. */
    @Override
    public void close() {
        closed = true;
        thread.wake();
        thread.interrupt();
    }

    /** Waits for the end of the last iteration, at most this long. */
    void awaitTermination(Duration timeout) {
        if (!thread.join(timeout)) {
            LOG.debug("Query did not end in time");
        }
    }
}
