package io.iocluster.pipeline.publish;

import io.iocluster.log.LogThrottle;
import io.iocluster.thread.NodeClock;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Releases each message that could not be answered one second later, because the broker redelivers a released message at once: a
 * defect would make the node read, call and release it in a hot loop. Until then the message counts as unconfirmed. Thread-safe,
 * except {@link #tick}.
 */
public final class DefectBackoff {

    private static final Logger LOG = LoggerFactory.getLogger(DefectBackoff.class);
    private static final long BACKOFF_NANOS = Duration.ofSeconds(1).toNanos();

    private final NodeClock clock;
    private final LogThrottle failureLog;
    private final Queue<LateRelease> waiting = new ConcurrentLinkedQueue<>();
    private volatile boolean closed;

    private record LateRelease(Runnable release, long dueNanos) {}

    public DefectBackoff(NodeClock clock) {
        this.clock = clock;
        this.failureLog = new LogThrottle(LOG, clock::nanos);
    }

    /** Releases a message after the backoff, or now if the node stops. */
    void releaseLater(Runnable release) {
        waiting.add(new LateRelease(release, clock.nanos() + BACKOFF_NANOS));
        if (closed) {
            releaseAll();
        }
    }

    /** Releases the messages whose backoff is over. The supervisor's thread calls it every few milliseconds. */
    public void tick() {
        long now = clock.nanos();
        for (LateRelease next = waiting.peek(); next != null && now - next.dueNanos() >= 0; next = waiting.peek()) {
            if (waiting.remove(next)) {
                release(next);
            }
        }
    }

    /** Releases all messages, because the node stops. */
    public void close() {
        closed = true;
        releaseAll();
    }

    private void releaseAll() {
        for (LateRelease next = waiting.poll(); next != null; next = waiting.poll()) {
            release(next);
        }
    }

    private void release(LateRelease next) {
        try {
            next.release().run();
        } catch (Throwable bug) {
            failureLog.error("Message could not be released", bug);
        }
    }
}
