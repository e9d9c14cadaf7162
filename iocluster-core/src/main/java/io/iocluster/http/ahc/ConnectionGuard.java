package io.iocluster.http.ahc;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import org.asynchttpclient.netty.channel.ChannelManager;

/**
 * Keeps requests and answers of one HTTP/1.1 connection in step. Confined to its event loop; one for each connection.
 *
 * <p>The client behind it takes any 1xx for the answer and would hand the real one to the next call on the connection, so
 * interim answers end here, and so does a connection that sends too many of them, switches protocols, or speaks unasked. On
 * an HTTP/2 connection no HTTP/1.1 message passes and it only counts.
 */
final class ConnectionGuard extends ChannelDuplexHandler {

    static final int MAX_INTERIM_RESPONSES = 16;

    private static final String NAME = "guard";

    private final ConnectionCounter connections;
    private boolean counted;
    private boolean awaitingAnswer;
    private boolean busy;
    private boolean skippingInterim;
    private boolean ended;
    private boolean leaving;
    private int interimAnswers;

    ConnectionGuard(ConnectionCounter connections) {
        this.connections = connections;
    }

    /** Puts a guard right behind the codec. */
    static void addTo(ChannelPipeline pipeline, ConnectionCounter connections) {
        pipeline.addAfter(ChannelManager.HTTP_CLIENT_CODEC, NAME, new ConnectionGuard(connections));
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
    public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
        if (message instanceof HttpRequest) {
            awaitingAnswer = true;
            interimAnswers = 0;
            busy(true);
        } else if (message instanceof ByteBuf && !leaving) {
            // A tunnel to a proxy was made: TLS and a new codec were put behind this guard, and it belongs behind them.
            leaving = true;
            ctx.executor().execute(() -> follow(ctx));
        }
        ctx.write(message, promise);
    }

    private void follow(ChannelHandlerContext ctx) {
        if (!ctx.isRemoved() && ctx.pipeline().get(ChannelManager.HTTP_CLIENT_CODEC) != null) {
            ctx.pipeline().remove(this);
            ConnectionGuard next = new ConnectionGuard(connections);
            next.counted = counted;
            next.busy = busy;
            ctx.pipeline().addAfter(ChannelManager.HTTP_CLIENT_CODEC, NAME, next);
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        if (ended || isInterim(ctx, message)) {
            ReferenceCountUtil.release(message);
            return;
        }
        if (message instanceof LastHttpContent) {
            // Before it is passed on: the next request may be written while the client handles it.
            awaitingAnswer = false;
            busy(false);
        }
        ctx.fireChannelRead(message);
    }

    private boolean isInterim(ChannelHandlerContext ctx, Object message) {
        if (message instanceof HttpResponse response) {
            int status = response.status().code();
            if (!awaitingAnswer) {
                end(ctx, null);
                return true;
            }
            if (status == 101) {
                end(ctx, "the target switched protocols unasked");
                return true;
            }
            if (status >= 100 && status < 200 && response.decoderResult().isSuccess()) {
                skippingInterim = !(message instanceof LastHttpContent);
                if (++interimAnswers > MAX_INTERIM_RESPONSES) {
                    end(ctx, "the target sent more than " + MAX_INTERIM_RESPONSES + " interim answers");
                }
                return true;
            }
        } else if (skippingInterim && message instanceof HttpContent) {
            skippingInterim = !(message instanceof LastHttpContent);
            return true;
        }
        return false;
    }

    private void end(ChannelHandlerContext ctx, String violation) {
        ended = true;
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
