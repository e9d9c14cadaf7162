package io.iocluster.http.client.http2;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2MultiplexActiveStreamsException;
import java.io.IOException;

/**
 * Fails the calls of an HTTP/2 connection with the error that closes it. Without this handler they fail as if the target had closed
 * the connection, and Netty logs each error with its stack trace.
 */
final class ConnectionErrorHandler extends ChannelInboundHandlerAdapter {

    private final Http2Guard guard;

    ConnectionErrorHandler(Http2Guard guard) {
        this.guard = guard;
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable error) {
        if (error instanceof IOException) {
            return; // The connection was closed; its calls see that.
        }
        guard.logError(ctx, error);
        ChannelHandlerContext codec = Http2Guard.codec(ctx.pipeline());
        if (error instanceof Http2Exception && codec != null) {
            codec.fireExceptionCaught(new Http2MultiplexActiveStreamsException(error));
        }
    }
}
