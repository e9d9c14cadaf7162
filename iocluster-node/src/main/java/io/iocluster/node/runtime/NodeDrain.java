package io.iocluster.node.runtime;

import io.iocluster.pipeline.Pipeline;
import io.iocluster.pipeline.PipelineStatus;
import io.iocluster.thread.Platform;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The drain of a node: it answers all calls and reads no more. Runs once, on its own thread. Thread-safe. */
final class NodeDrain {

    private static final Logger LOG = LoggerFactory.getLogger(Node.class);

    private final Pipeline pipeline;
    private final Supplier<Duration> timeout;
    private final Runnable preventStart;
    private final Runnable leaveCluster;
    private final Platform platform;
    private final AtomicReference<CompletableFuture<Boolean>> drained = new AtomicReference<>();

    /** @param preventStart makes a node that has not started to read stay so */
    NodeDrain(
            Pipeline pipeline,
            Supplier<Duration> timeout,
            Runnable preventStart,
            Runnable leaveCluster,
            Platform platform) {
        this.pipeline = pipeline;
        this.timeout = timeout;
        this.preventStart = preventStart;
        this.leaveCluster = leaveCluster;
        this.platform = platform;
    }

    /**
     * Starts the drain unless it has already started.
     *
     * @return whether every call was answered in time
     */
    CompletableFuture<Boolean> start() {
        CompletableFuture<Boolean> own = new CompletableFuture<>();
        CompletableFuture<Boolean> started = drained.compareAndExchange(null, own);
        if (started != null) {
            return started;
        }
        Duration limit = timeout.get();
        pipeline.announceDrain();
        PipelineStatus open = pipeline.status();
        LOG.info("Draining inFlight={} waiting={} unconfirmed={}", open.inFlight(), open.waiting(), open.unconfirmed());
        own.completeAsync(() -> run(limit), platform.newThreads("iocluster-drain"));
        return own;
    }

    /** Starts the drain unless it has already started, and waits until it ends. */
    boolean await() {
        try {
            return start().join();
        } catch (CompletionException bug) {
            LOG.error("Drain failed because of a defect; open messages will be redelivered", bug.getCause());
            return false;
        }
    }

    private boolean run(Duration limit) {
        preventStart.run();
        // The other nodes use this node's share while the pipeline closes, unless a call may still start.
        boolean answered = pipeline.drain(limit, leaveCluster);
        leaveCluster.run();
        if (answered) {
            LOG.info("Drain finished");
        } else {
            LOG.info("Drain timed out timeout={}; open messages return to the queue", limit);
        }
        return answered;
    }
}
