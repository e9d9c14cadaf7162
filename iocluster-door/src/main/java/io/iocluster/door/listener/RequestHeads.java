package io.iocluster.door.listener;

import com.linecorp.armeria.server.ServiceRequestContext;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.concurrent.ScheduledFuture;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Closes a connection if the headers of a request do not arrive in time, or if too many of its requests are open, because the number of
 * connections and the memory are limited. An HTTP/2 connection is only closed if its first request is late: later, frames arrive without
 * requests, and Armeria limits the open ones. Confined to the event loop of the connection.
 */
final class RequestHeads extends ChannelInboundHandlerAdapter {

    private static final Logger LOG = LoggerFactory.getLogger(RequestHeads.class);

    /** The first byte of a TLS connection (RFC 8446, section 5.1). */
    private static final int TLS_HANDSHAKE = 22;

    /** Maximum number of HTTP/1 requests that a caller sends before it reads the responses. */
    static final int MAX_PIPELINED = 100;

    private final Duration within;
    private Channel connection;
    private ScheduledFuture<?> timeout;
    private boolean multiplexed;
    private int open;
    /** Whether the next bytes must be the start of TLS. */
    private boolean expectsTls;

    private RequestHeads(Duration within, boolean tls) {
        this.within = within;
        this.expectsTls = tls;
    }

    /**
     * Watches a new connection, whose first request must arrive within this time too.
     *
     * @param tls whether the connection must start with TLS
     */
    static RequestHeads watch(Channel connection, Duration within, boolean tls) {
        RequestHeads heads = new RequestHeads(within, tls);
        heads.connection = connection;
        connection.pipeline().addFirst(heads);
        heads.expect();
        // Otherwise callers that connect and disconnect fast would fill the memory with closed connections.
        connection.closeFuture().addListener(closed -> heads.cancel());
        return heads;
    }

    /** Starts the time of a request unless it runs. */
    private void expect() {
        if (timeout == null) {
            timeout = connection.eventLoop().schedule(this::close, within.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    private void close() {
        connection.close();
    }

    private void cancel() {
        if (timeout != null) {
            timeout.cancel(false);
            timeout = null;
        }
    }

    boolean isExpecting() {
        return timeout != null;
    }

    /** Bytes that arrive while no request is open are the start of one. */
    @Override
    public void channelRead(ChannelHandlerContext context, Object bytes) {
        if (expectsTls && bytes instanceof ByteBuf first && first.isReadable()) {
            expectsTls = false;
            if (first.getUnsignedByte(first.readerIndex()) != TLS_HANDSHAKE) {
                // The library would log a stack trace for each probe without TLS.
                first.release();
                LOG.debug(
                        "Connection closed, because it does not start with TLS remote={}", connection.remoteAddress());
                close();
                return;
            }
        }
        if (open == 0 && !multiplexed) {
            expect();
        }
        context.fireChannelRead(bytes);
    }

    /** Records that the headers of a request have arrived. */
    static void arrived(ServiceRequestContext context) {
        Channel channel = context.log().partial().channel();
        RequestHeads heads = channel == null ? null : channel.pipeline().get(RequestHeads.class);
        if (heads != null) {
            heads.start(context);
        }
    }

    private void start(ServiceRequestContext context) {
        started(context.sessionProtocol().isMultiplex());
        context.log().whenComplete().thenRunAsync(this::ended, connection.eventLoop());
    }

    void started(boolean isMultiplexed) {
        multiplexed = isMultiplexed;
        cancel();
        open++;
        if (!multiplexed && open > MAX_PIPELINED) {
            close();
        }
    }

    void ended() {
        open--;
    }
}
