package io.iocluster.node.consul;

import io.iocluster.node.config.ConsulSettings;
import io.iocluster.transport.outage.Backoff;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Turns to an agent again and again: when it is time again after an answer, and after waits that grow after failures. Owns its
 * thread.
 */
final class AgentLoop implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(AgentLoop.class);

    private final AgentTask turn;
    private final Consumer<String> lost;
    private final Backoff backoff;
    private final CountDownLatch closing = new CountDownLatch(1);
    private final Thread thread;

    /** What is done each time. */
    interface AgentTask {

        /**
         * Does it.
         *
         * @return how many nanoseconds to rest then; none if negative
         * @throws IOException if the agent did not do its part; the message is for people
         */
        long run() throws IOException, InterruptedException;
    }

    /**
     * @param lost told of each failure, in words for people
     */
    AgentLoop(String name, ConsulSettings settings, AgentTask turn, Consumer<String> lost) {
        this.turn = turn;
        this.lost = lost;
        this.backoff = new Backoff(settings.baseDelay(), settings.maxDelay());
        this.thread = new Thread(this::run, name);
        thread.setDaemon(true);
    }

    /** Begins with the first turn. To be called once. */
    void start() {
        thread.start();
    }

    private void run() {
        try {
            long rest;
            do {
                rest = takeTurn();
            } while (!closing.await(rest, TimeUnit.NANOSECONDS));
        } catch (InterruptedException closed) {
            LOG.debug("{} ends", thread.getName());
        }
    }

    private long takeTurn() throws InterruptedException {
        try {
            long rest = turn.run();
            backoff.reset();
            return rest;
        } catch (IOException failed) {
            lost.accept(failed.getMessage());
        } catch (RuntimeException bug) {
            LOG.error("defect in {}", thread.getName(), bug);
            lost.accept("a defect in the node; its log has the details");
        }
        return backoff.nextDelayNanos();
    }

    /** Breaks off the turn that is being taken, and takes no other. */
    @Override
    public void close() {
        closing.countDown();
        thread.interrupt();
    }

    /** Waits for the end of the last turn, no longer than this. */
    void awaitTermination(Duration most) throws InterruptedException {
        thread.join(most.toMillis());
    }
}
