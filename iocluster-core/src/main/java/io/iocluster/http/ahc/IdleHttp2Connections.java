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
 * Closes HTTP/2 connections that nobody has used for a while; the client keeps them outside its pool and would keep them for
 * ever. Confined to one event loop.
 */
final class IdleHttp2Connections {

    private static final Logger LOG = LoggerFactory.getLogger(IdleHttp2Connections.class);

    private final EventLoop loop;
    private final long keepNanos;
    private final Map<Channel, Long> lastUsed = new HashMap<>();
    private boolean sweeping;

    IdleHttp2Connections(EventLoop loop, long keepNanos) {
        this.loop = loop;
        this.keepNanos = keepNanos;
    }

    /** A call on this connection has ended; false if that is an HTTP/1.1 connection, which is not its business. */
    boolean trackIfHttp2(Channel connection) {
        if (!connection.hasAttr(Http2ConnectionState.HTTP2_STATE_KEY)) {
            return false;
        }
        if (lastUsed.put(connection, System.nanoTime()) == null) {
            connection.closeFuture().addListener(closed -> lastUsed.remove(connection));
        }
        if (!sweeping) {
            sweeping = true;
            sweepLater();
        }
        return true;
    }

    /** Closes at once what nobody uses now. */
    void closeIdle() {
        for (Channel connection : lastUsed.keySet().toArray(Channel[]::new)) {
            if (activeStreams(connection) == 0) {
                connection.close();
            }
        }
    }

    private void sweepLater() {
        loop.schedule(this::sweep, Math.max(keepNanos / 4, TimeUnit.MILLISECONDS.toNanos(10)), TimeUnit.NANOSECONDS);
    }

    private void sweep() {
        try {
            closeUnused();
        } catch (Throwable bug) {
            LOG.error("Idle HTTP/2 connections could not be closed; retrying later", bug);
        } finally {
            sweeping = !lastUsed.isEmpty();
            if (sweeping) {
                sweepLater();
            }
        }
    }

    private void closeUnused() {
        long now = System.nanoTime();
        for (Channel connection : lastUsed.keySet().toArray(Channel[]::new)) {
            if (activeStreams(connection) > 0) {
                lastUsed.put(connection, now);
            } else if (now - lastUsed.get(connection) >= keepNanos) {
                connection.close();
            }
        }
    }

    private static int activeStreams(Channel connection) {
        return connection.attr(Http2ConnectionState.HTTP2_STATE_KEY).get().getActiveStreams();
    }
}
