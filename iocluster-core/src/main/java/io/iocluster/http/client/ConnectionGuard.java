package io.iocluster.http.client;

import io.iocluster.http.client.http2.Http2Guard;
import io.iocluster.http.client.pool.IdleConnections;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.netty.util.ReferenceCountUtil;
import org.asynchttpclient.netty.channel.ChannelManager;

/**
 * Keeps requests and responses of one HTTP/1.1 connection in step. Confined to the connection's event loop.
 *
 * <p>The client treats any 1xx as the response and would deliver the final response to the next call on the connection.
 * The guard therefore drops interim responses, and closes a connection that sends too many of them, switches protocols,
 * or sends a response without a request. On an HTTP/2 connection it only counts, because no HTTP/1.1 message passes; {@link
 * Http2Guard} guards that one.
 */
final class ConnectionGuard extends ChannelDuplexHandler {

    static final int MAX_INTERIM_RESPONSES = 16;

    private static final String NAME = "guard";

    private final ConnectionCounter connections;
    private final IdleConnections idleConnections;
    private final Http2Guard http2Guard;
    private boolean counted;
    private boolean awaitingResponse;
    private boolean busy;
    private boolean skippingInterim;
    private boolean closing;
    private boolean moving;
    private int interimResponses;
    private int requests;

    ConnectionGuard(ConnectionCounter connections, IdleConnections idleConnections, Http2Guard http2Guard) {
        this.connections = connections;
        this.idleConnections = idleConnections;
        this.http2Guard = http2Guard;
    }

    /** Adds a guard directly after the codec. */
    static void addTo(
            ChannelPipeline pipeline,
            ConnectionCounter connections,
            IdleConnections idleConnections,
            Http2Guard http2Guard) {
        pipeline.addAfter(
                ChannelManager.HTTP_CLIENT_CODEC, NAME, new ConnectionGuard(connections, idleConnections, http2Guard));
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        counted = true;
        connections.opened();
        busy(true);
        ctx.fireChannelActive();
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        if (counted) {
            counted = false;
            busy(false);
            connections.closed();
        }
        ctx.fireChannelInactive();
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (event instanceof SslHandshakeCompletionEvent) {
            ChannelPipeline pipeline = ctx.pipeline();
            TlsOverheadLimit.addTo(pipeline, () -> requests + Http2Guard.startedStreams(pipeline));
            http2Guard.limitFrames(ctx);
            http2Guard.handleErrors(pipeline);
            // Later, because the client has not decided on HTTP/2 yet. Not when the first call ends, because a call
            // that times out does not release its HTTP/2 connection, and the connection would stay open for ever.
            Channel connection = ctx.channel();
            ctx.executor().execute(() -> {
                http2Guard.handleErrors(connection.pipeline());
                idleConnections.trackIfHttp2(connection);
            });
        }
        ctx.fireUserEventTriggered(event);
    }

    @Override
    public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
        if (message instanceof HttpRequest) {
            awaitingResponse = true;
            interimResponses = 0;
            requests++;
            busy(true);
        } else if (message instanceof ByteBuf && !moving) {
            // A proxy tunnel was opened: the client added TLS and a new codec after this guard, which belongs behind
            // them.
            moving = true;
            ctx.executor().execute(() -> moveBehindNewCodec(ctx));
        }
        ctx.write(message, promise);
    }

    private void moveBehindNewCodec(ChannelHandlerContext ctx) {
        if (!ctx.isRemoved() && ctx.pipeline().get(ChannelManager.HTTP_CLIENT_CODEC) != null) {
            ctx.pipeline().remove(this);
            ConnectionGuard next = new ConnectionGuard(connections, idleConnections, http2Guard);
            next.counted = counted;
            next.busy = busy;
            ctx.pipeline().addAfter(ChannelManager.HTTP_CLIENT_CODEC, NAME, next);
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        if (closing || isInterim(ctx, message)) {
            ReferenceCountUtil.release(message);
            return;
        }
        if (message instanceof LastHttpContent) {
            // Before the message is passed on, because the client may write the next request while it handles it.
            awaitingResponse = false;
            busy(false);
        }
        ctx.fireChannelRead(message);
    }

    private boolean isInterim(ChannelHandlerContext ctx, Object message) {
        if (message instanceof HttpResponse response) {
            int status = response.status().code();
            if (!awaitingResponse) {
                closeConnection(ctx, null);
                return true;
            }
            if (status == 101) {
                closeConnection(ctx, "the target switched protocols without an Upgrade request");
                return true;
            }
            if (status >= 100 && status < 200 && response.decoderResult().isSuccess()) {
                skippingInterim = !(message instanceof LastHttpContent);
                if (++interimResponses > MAX_INTERIM_RESPONSES) {
                    closeConnection(ctx, "the target sent more than " + MAX_INTERIM_RESPONSES + " interim responses");
                }
                return true;
            }
        } else if (skippingInterim && message instanceof HttpContent) {
            skippingInterim = !(message instanceof LastHttpContent);
            return true;
        }
        return false;
    }

    private void closeConnection(ChannelHandlerContext ctx, String violation) {
        closing = true;
        if (violation != null) {
            ctx.fireExceptionCaught(new ProtocolViolationException(violation));
        }
        ctx.close();
    }

    private void busy(boolean now) {
        if (busy != now) {
            busy = now;
            if (now) {
                connections.becameBusy();
            } else {
                connections.becameIdle();
            }
        }
    }
}
