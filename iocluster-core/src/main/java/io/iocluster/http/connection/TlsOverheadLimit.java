package io.iocluster.http.connection;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.ReferenceCountUtil;

/**
 * Closes a TLS connection whose target sends many records with little or no content. Each record costs the event loop a decryption,
 * whatever it contains, and a target could send millions of them during one call.
 *
 * <p>A record has about 22 bytes besides its content, and 38 if the JDK sent it. Records are therefore not parsed: the limit compares the bytes before and after
 * decryption. Confined to the connection's event loop.
 */
public final class TlsOverheadLimit extends ChannelInboundHandlerAdapter {

    /** Maximum bytes beyond 1.5 times the content, for each call. Allows more than 4,000 records of one byte. */
    static final int MAX_EXCESS_BYTES = 160_000;

    private static final String VIOLATION = "the target sent too many TLS records with little or no content";

    private final HttpConnection connection;
    private final Content content = new Content();
    private long excess;
    private int callsBefore;
    private boolean closed;

    private TlsOverheadLimit(HttpConnection connection) {
        this.connection = connection;
    }

    /** Adds a limit around the connection's TLS handler. Does nothing without TLS. */
    public static void addTo(HttpConnection connection) {
        ChannelPipeline pipeline = connection.channel().pipeline();
        ChannelHandlerContext tls = pipeline.context(SslHandler.class);
        if (tls != null) {
            TlsOverheadLimit limit = new TlsOverheadLimit(connection);
            pipeline.addBefore(tls.name(), null, limit);
            pipeline.addAfter(tls.name(), null, limit.content);
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        if (closed) {
            ReferenceCountUtil.release(message);
            return;
        }
        if (connection.isDraining() && connection.openExchanges() == 0) {
            // Otherwise the TLS handler would decrypt what no exchange needs until the target has read its last
            // message.
            closed = true;
            ReferenceCountUtil.release(message);
            ctx.pipeline().firstContext().close();
            return;
        }
        int callsNow = connection.startedExchanges();
        if (callsNow != callsBefore) {
            callsBefore = callsNow;
            excess = 0;
        }
        if (message instanceof ByteBuf encrypted) {
            excess += encrypted.readableBytes();
        }
        // The TLS handler passes on the content of all complete records before it returns.
        ctx.fireChannelRead(message);
        if (excess > MAX_EXCESS_BYTES) {
            close(ctx);
        }
    }

    private void close(ChannelHandlerContext ctx) {
        closed = true;
        ChannelHandlerContext afterTls = ctx.pipeline().context(content);
        if (afterTls != null) {
            afterTls.fireExceptionCaught(new ProtocolViolationException(VIOLATION));
        }
        // Not through the TLS handler, which would continue to decrypt until the target has read its last message.
        ctx.pipeline().firstContext().close();
    }

    /** Counts the content of the records. */
    private final class Content extends ChannelInboundHandlerAdapter {

        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            if (message instanceof ByteBuf bytes) {
                excess = Math.max(0, excess - bytes.readableBytes() * 3L / 2);
            }
            ctx.fireChannelRead(message);
        }
    }
}
