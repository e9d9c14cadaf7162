package io.iocluster.http;

import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.asynchttpclient.netty.channel.Http2ConnectionState;

/**
 * Closes HTTP/2 connections that nobody has used for a while; the client keeps them outside its pool and would keep them for
 * ever. Confined to one event loop.
 */
final class IdleHttp2Connections {

    private final EventLoop loop;
    private final long keepNanos;
    private final Map<Channel, Long> lastUsed = new HashMap<>();
    private boolean sweeping;

    IdleHttp2Connections(EventLoop loop, long keepNanos) {
        this.loop = loop;
        this.keepNanos = keepNanos;
    }

    /** A call on this connection has ended; HTTP/1.1 connections are not its business. */
    void released(Channel connection) {
        if (connection.hasAttr(Http2ConnectionState.HTTP2_STATE_KEY)) {
            if (lastUsed.put(connection, System.nanoTime()) == null) {
                connection.closeFuture().addListener(closed -> lastUsed.remove(connection));
            }
            if (!sweeping) {
                sweeping = true;
                sweepLater();
            }
        }
    }

    private void sweepLater() {
        loop.schedule(this::sweep, Math.max(keepNanos / 4, TimeUnit.MILLISECONDS.toNanos(10)), TimeUnit.NANOSECONDS);
    }

    private void sweep() {
        long now = System.nanoTime();
        for (Channel connection : lastUsed.keySet().toArray(Channel[]::new)) {
            Http2ConnectionState state =
                    connection.attr(Http2ConnectionState.HTTP2_STATE_KEY).get();
            if (state.getActiveStreams() > 0) {
                lastUsed.put(connection, now);
            } else if (now - lastUsed.get(connection) >= keepNanos) {
                connection.close();
            }
        }
        sweeping = !lastUsed.isEmpty();
        if (sweeping) {
            sweepLater();
        }
    }
}
