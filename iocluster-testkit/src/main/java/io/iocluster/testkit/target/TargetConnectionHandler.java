package io.iocluster.testkit.target;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.FullHttpRequest;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;

/** Answers a connection's requests one after the other, also where the client did not wait. Confined to its event loop. */
final class TargetConnectionHandler extends SimpleChannelInboundHandler<FullHttpRequest> {

    private final Behaviours behaviours;
    private final RequestLog ledger;
    private final Deque<FullHttpRequest> early = new ArrayDeque<>();
    private Exchange current;

    TargetConnectionHandler(Behaviours behaviours, RequestLog ledger) {
        this.behaviours = behaviours;
        this.ledger = ledger;
    }

    @Override
    protected void channelRead0(ChannelHandlerContext ctx, FullHttpRequest request) {
        if (current == null) {
            begin(ctx, request);
        } else {
            early.add(request.retain());
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        if (current != null) {
            current.onClientDisconnect();
            current = null;
        }
        early.forEach(FullHttpRequest::release);
        early.clear();
        ctx.fireChannelInactive();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        if (!(cause instanceof IOException)) {
            ctx.fireExceptionCaught(cause);
        }
        ctx.close();
    }

    /** The current exchange is over; the next one, if the client sent it already, begins. */
    void startNext(ChannelHandlerContext ctx) {
        current = null;
        FullHttpRequest request = early.poll();
        if (request != null) {
            begin(ctx, request);
            request.release();
        }
    }

    private void begin(ChannelHandlerContext ctx, FullHttpRequest request) {
        Exchange exchange = new Exchange(this, ctx, request, ledger);
        current = exchange;
        behaviours.handle(exchange);
    }
}
