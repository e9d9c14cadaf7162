package io.iocluster.node.runtime;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.iocluster.settings.DurationText;
import io.iocluster.thread.Platform;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The parts of a node or of a door, in the order in which they were created. Closes them in reverse order, so that a part can use all
 * earlier parts until it is closed. A part that fails to close, or does not close in time, does not keep the others open. Thread-safe.
 */
public final class NodeParts implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(NodeParts.class);

    /** Longer than the limits that parts have themselves. A container gets less time to stop, so this is for programs that contain a node. */
    private static final Duration CLOSE_WITHIN = Duration.ofMinutes(1);

    private final Platform platform;
    private final Executor closer;
    private final Duration closeWithin;

    /** The newest first. */
    @GuardedBy("this")
    private final Deque<NodePart> open = new ArrayDeque<>();

    @GuardedBy("this")
    private boolean closed;

    private record NodePart(String name, AutoCloseable part) {}

    public NodeParts(Platform platform) {
        this(platform, CLOSE_WITHIN);
    }

    NodeParts(Platform platform, Duration closeWithin) {
        this.platform = platform;
        this.closer = platform.newThreads("iocluster-close");
        this.closeWithin = closeWithin;
    }

    /**
     * Adds a part that was created after all others. If the parts are already closed, closes it at once.
     *
     * @param name the name in the log
     * @return the part
     */
    public <P extends AutoCloseable> P add(String name, P part) {
        if (!addOpen(new NodePart(name, part))) {
            close(new NodePart(name, part));
        }
        return part;
    }

    private synchronized boolean addOpen(NodePart part) {
        if (!closed) {
            open.push(part);
        }
        return !closed;
    }

    private synchronized NodePart next() {
        closed = true;
        return open.poll();
    }

    /** Closes the parts. Waits for each for a limited time. Does nothing if it is called again. */
    @Override
    public void close() {
        for (NodePart part = next(); part != null; part = next()) {
            close(part);
        }
    }

    private void close(NodePart part) {
        CompletableFuture<Void> closing = CompletableFuture.runAsync(() -> closeOrLog(part), closer);
        // A thread that was interrupted still closes the parts one after another.
        boolean interrupted = Thread.interrupted();
        try {
            if (!platform.await(closing, closeWithin)) {
                LOG.warn(
                        "Part did not close in time; closing the next one part={} timeout={}",
                        part.name(),
                        DurationText.format(closeWithin));
            }
        } catch (InterruptedException again) {
            interrupted = true;
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static void closeOrLog(NodePart part) {
        try {
            part.part().close();
        } catch (Exception | Error failed) {
            LOG.error("Part failed to close; closing the next one part={}", part.name(), failed);
        }
    }
}
