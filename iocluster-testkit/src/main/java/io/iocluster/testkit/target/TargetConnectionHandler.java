package io.iocluster.testkit.target;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.FullHttpRequest;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Answers a connection's requests one after the other, even if the client pipelines them. Confined to its event loop.
 */
final class TargetConnectionHandler extends SimpleChannelInboundHandler<FullHttpRequest> {

    private final Behaviours behaviours;
    private final RequestLog requestLog;
    private final Deque<FullHttpRequest> pipelined = new ArrayDeque<>();
    private Exchange current;
    private boolean used;

    TargetConnectionHandler(Behaviours behaviours, RequestLog requestLog) {
        this.behaviours = behaviours;
        this.requestLog = requestLog;
    }

    @Override
    protected void channelRead0(ChannelHandlerContext ctx, FullHttpRequest request) {
        if (current == null) {
            start(ctx, request);
        } else {
            pipelined.add(request.retain());
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        if (current != null) {
            current.onClientDisconnect();
            current = null;
        }
        pipelined.forEach(FullHttpRequest::release);
        pipelined.clear();
        ctx.fireChannelInactive();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        if (!(cause instanceof IOException)) {
            ctx.fireExceptionCaught(cause);
        }
        ctx.close();
    }

    /** Returns whether the connection carried a request before the one that starts now. */
    boolean isUsed() {
        return used;
    }

    /** Ends the current exchange and starts the next pipelined one, if any. */
    void startNext(ChannelHandlerContext ctx) {
        current = null;
        FullHttpRequest request = pipelined.poll();
        if (request != null) {
            start(ctx, request);
            request.release();
        }
    }

    private void start(ChannelHandlerContext ctx, FullHttpRequest request) {
        Exchange exchange = new Exchange(this, ctx, request, requestLog);
        current = exchange;
        used = true;
        behaviours.handle(exchange);
    }
}
