package io.iocluster.http.connection;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.ReferenceCountUtil;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;

/**
 * Closes a TLS connection whose target sends many records with little or no content, or starts many handshakes. Each record costs the event
 * loop a decryption, whatever it contains, and each handshake far more. A target could send millions of records during one call.
 *
 * <p>A record has about 22 bytes besides its content, and 38 if the JDK sent it. Records are therefore not parsed: the limit compares the bytes before and after
 * decryption. Confined to the connection's event loop.
 */
public final class TlsOverheadLimit extends ChannelInboundHandlerAdapter {

    /** Maximum bytes beyond 1.5 times the content, for each call. Allows more than 4,000 records of one byte. */
    static final int MAX_EXCESS_BYTES = 160_000;

    /**
     * Maximum reads during one call over HTTP/1.1 that leave a further handshake incomplete. Each handshake takes one or two of them, and more if
     * the target's messages are long. Some servers ask for the client's certificate only when they have seen the path. HTTP/2 forbids further
     * handshakes (RFC 9113, section 9.2.1), and TLS 1.3 has none.
     */
    static final int MAX_HANDSHAKE_READS = 32;

    private static final String TOO_MANY_RECORDS = "the target sent too many TLS records with little or no content";
    private static final String RENEGOTIATED = "the target renegotiated TLS too often";

    private final HttpConnection connection;
    private final SSLEngine engine;
    private final int maxHandshakeReads;
    private final Content content = new Content();
    private long excess;
    private int callsBefore;
    private int handshakeReads;
    private boolean closed;

    private TlsOverheadLimit(HttpConnection connection, SSLEngine engine) {
        this.connection = connection;
        this.engine = engine;
        this.maxHandshakeReads = connection.isMultiplexed() ? 0 : MAX_HANDSHAKE_READS;
    }

    /** Adds a limit around the connection's TLS handler. Does nothing without TLS. */
    public static void addTo(HttpConnection connection) {
        ChannelPipeline pipeline = connection.channel().pipeline();
        ChannelHandlerContext tls = pipeline.context(SslHandler.class);
        if (tls != null) {
            TlsOverheadLimit limit = new TlsOverheadLimit(connection, ((SslHandler) tls.handler()).engine());
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
            handshakeReads = 0;
        }
        if (message instanceof ByteBuf encrypted) {
            excess += encrypted.readableBytes();
        }
        // The TLS handler passes on the content of all complete records before it returns.
        ctx.fireChannelRead(message);
        if (engine.getHandshakeStatus() == HandshakeStatus.NEED_UNWRAP) {
            handshakeReads++;
        }
        if (excess > MAX_EXCESS_BYTES) {
            close(ctx, TOO_MANY_RECORDS);
        } else if (handshakeReads > maxHandshakeReads) {
            close(ctx, RENEGOTIATED);
        }
    }

    private void close(ChannelHandlerContext ctx, String violation) {
        closed = true;
        ChannelHandlerContext afterTls = ctx.pipeline().context(content);
        if (afterTls != null) {
            afterTls.fireExceptionCaught(new ProtocolViolationException(violation));
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
