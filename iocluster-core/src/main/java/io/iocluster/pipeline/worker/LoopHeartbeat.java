package io.iocluster.pipeline.worker;

import io.netty.channel.EventLoop;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Detects an event loop that is late or dead. A heartbeat is a task that the loop runs behind all earlier ones. Counts heartbeats and
 * not time, so that a pause of the whole process makes no loop late. Confined to the supervisor's thread; the loop only answers.
 */
final class LoopHeartbeat {

    /** How often {@link #beat} is called. */
    static final long INTERVAL_MILLIS = 100;

    private static final Logger LOG = LoggerFactory.getLogger(LoopHeartbeat.class);

    private final EventLoop loop;
    private long requested;
    private int missed;
    private boolean abandoned;

    /** The last heartbeat that the loop has answered. Written by the loop. */
    private volatile long answered;

    LoopHeartbeat(EventLoop loop) {
        this.loop = loop;
    }

    /** Requests a heartbeat if the loop has answered the last one. Otherwise counts it as missed once more. */
    void beat() {
        if (answered != requested) {
            missed++;
            return;
        }
        missed = 0;
        abandoned = false;
        long heartbeat = ++requested;
        try {
            loop.execute(() -> answered = heartbeat);
        } catch (Throwable dead) {
            LOG.debug("Event loop accepts no heartbeat", dead);
        }
    }

    /**
     * Returns whether the loop had not answered the last heartbeat when the next one was due, for example because it got no CPU. It
     * will still run the tasks that it has. False for a loop that has ended or was {@linkplain #abandon abandoned}.
     */
    boolean isLate() {
        return missed > 0 && !abandoned && !loop.isShuttingDown();
    }

    /** Returns whether the loop has ended, or has missed more than this many heartbeats in a row. */
    boolean isDead(long heartbeats) {
        return loop.isShuttingDown() || missed > heartbeats;
    }

    /** Stops waiting for a dead loop until it answers again: it is no longer late. */
    void abandon() {
        abandoned = true;
    }
}
