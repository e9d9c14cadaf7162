package io.iocluster.http.ahc;

import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.asynchttpclient.netty.channel.Http2ConnectionState;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Closes HTTP/2 connections after an idle timeout. The client keeps them outside its pool and would never close them.
 * Confined to one event loop.
 */
final class IdleHttp2Connections {

    private static final Logger LOG = LoggerFactory.getLogger(IdleHttp2Connections.class);

    private final EventLoop loop;
    private final long idleTimeoutNanos;
    private final Map<Channel, Long> lastUsed = new HashMap<>();
    private boolean sweepScheduled;

    IdleHttp2Connections(EventLoop loop, long idleTimeoutNanos) {
        this.loop = loop;
        this.idleTimeoutNanos = idleTimeoutNanos;
    }

    /**
     * Records that a call on the connection has ended. Returns false for an HTTP/1.1 connection, which is not tracked.
     */
    boolean trackIfHttp2(Channel connection) {
        if (!connection.hasAttr(Http2ConnectionState.HTTP2_STATE_KEY)) {
            return false;
        }
        if (lastUsed.put(connection, System.nanoTime()) == null) {
            connection.closeFuture().addListener(closed -> lastUsed.remove(connection));
        }
        if (!sweepScheduled) {
            sweepScheduled = true;
            scheduleSweep();
        }
        return true;
    }

    /** Closes every connection without an open call now. */
    void closeIdle() {
        for (Channel connection : lastUsed.keySet().toArray(Channel[]::new)) {
            if (activeStreams(connection) == 0) {
                connection.close();
            }
        }
    }

    private void scheduleSweep() {
        loop.schedule(
                this::sweep, Math.max(idleTimeoutNanos / 4, TimeUnit.MILLISECONDS.toNanos(10)), TimeUnit.NANOSECONDS);
    }

    private void sweep() {
        try {
            closeExpired();
        } catch (Throwable bug) {
            LOG.error("Closing idle HTTP/2 connections failed because of a defect; retried later", bug);
        } finally {
            sweepScheduled = !lastUsed.isEmpty();
            if (sweepScheduled) {
                scheduleSweep();
            }
        }
    }

    private void closeExpired() {
        long now = System.nanoTime();
        for (Channel connection : lastUsed.keySet().toArray(Channel[]::new)) {
            if (activeStreams(connection) > 0) {
                lastUsed.put(connection, now);
            } else if (now - lastUsed.get(connection) >= idleTimeoutNanos) {
                connection.close();
            }
        }
    }

    private static int activeStreams(Channel connection) {
        return connection.attr(Http2ConnectionState.HTTP2_STATE_KEY).get().getActiveStreams();
    }
}
