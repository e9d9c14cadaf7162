package io.iocluster.http.connection;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.ReferenceCountUtil;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;

/**
 * Closes a TLS connection whose target sends many records with little or no content, or starts many handshakes. Each record costs the event
 * loop a decryption, whatever it contains, and each handshake and each new key far more. A target could send millions of records during one
 * call, or instead of its handshake.
 *
 * <p>A record has about 22 bytes besides its content, and 38 if the JDK sent it. The limit compares the bytes before and after decryption.
 * Confined to the connection's event loop.
 */
public final class TlsOverheadLimit extends ChannelInboundHandlerAdapter {

    /**
     * Maximum bytes beyond 1.5 times the content, for the first handshake and for each call. Allows more than 4,000 records of one byte. The
     * certificates of a handshake have at most 32 KiB.
     */
    static final int MAX_EXCESS_BYTES = 160_000;

    /**
     * Maximum reads during one call over HTTP/1.1 that leave a further handshake incomplete. Each handshake takes one or two of them, and more if
     * the target's messages are long. Some servers ask for the client's certificate only when they have seen the path. HTTP/2 forbids further
     * handshakes (RFC 9113, section 9.2.1), and TLS 1.3 has none.
     */
    static final int MAX_HANDSHAKE_READS = 32;

    /**
     * Maximum records of TLS 1.3 without content during one call. Targets send a few tickets after the handshake, and new keys (KeyUpdate) after
     * gigabytes. The JDK takes as long for a new key as for a hundred small records.
     */
    static final int MAX_EMPTY_RECORDS = 64;

    /** Maximum bytes of these records. One record can have many new keys of five bytes. Tickets with a certificate chain have kilobytes. */
    static final int MAX_EMPTY_BYTES = 16 * 1024;

    private static final String TOO_MANY_RECORDS = "the target sent too many TLS records with little or no content";
    private static final String RENEGOTIATED = "the target renegotiated TLS too often";

    private final SSLEngine engine;
    private final Content content = new Content();
    private final RecordReader record = new RecordReader();
    /** Null until the first handshake has ended. */
    private HttpConnection connection;

    private boolean hasKeyUpdates;
    private long excess;
    private int callsBefore;
    private int handshakeReads;
    private int emptyRecords;
    private int emptyBytes;
    /** Whether the record that was decrypted last had content. */
    private boolean hadContent;
    /** Whether nothing more is decrypted, because the channel closes. */
    private boolean closed;

    private TlsOverheadLimit(SSLEngine engine) {
        this.engine = engine;
    }

    /** Adds a limit around the TLS handler of a channel, before the handshake. */
    public static void addTo(ChannelPipeline pipeline) {
        ChannelHandlerContext tls = pipeline.context(SslHandler.class);
        TlsOverheadLimit limit = new TlsOverheadLimit(((SslHandler) tls.handler()).engine());
        pipeline.addBefore(tls.name(), null, limit);
        pipeline.addAfter(tls.name(), null, limit.content);
    }

    /** Tells the limit of the channel which connection was opened on it. Does nothing without TLS. */
    public static void onOpened(HttpConnection opened) {
        TlsOverheadLimit limit = opened.channel().pipeline().get(TlsOverheadLimit.class);
        if (limit != null) {
            limit.open(opened);
        }
    }

    private void open(HttpConnection opened) {
        connection = opened;
        // Further handshakes of earlier versions have records without content too.
        hasKeyUpdates = engine.getSession().getProtocol().equals("TLSv1.3");
        resetCounts();
    }

    private void resetCounts() {
        excess = 0;
        handshakeReads = 0;
        emptyRecords = 0;
        emptyBytes = 0;
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        if (!closed && connection != null && connection.isDraining() && connection.openExchanges() == 0) {
            // Otherwise the TLS handler would decrypt what no exchange needs until the target has read its last
            // message.
            closed = true;
            ctx.pipeline().firstContext().close();
        }
        if (closed) {
            ReferenceCountUtil.release(message);
            return;
        }
        if (connection != null && connection.startedExchanges() != callsBefore) {
            callsBefore = connection.startedExchanges();
            resetCounts();
        }
        if (message instanceof ByteBuf encrypted) {
            decrypt(ctx, encrypted);
        } else {
            ctx.fireChannelRead(message);
        }
    }

    /** Passes the records to the TLS handler one by one, which passes on their content before it returns. Releases the bytes. */
    private void decrypt(ChannelHandlerContext ctx, ByteBuf encrypted) {
        try {
            while (encrypted.isReadable() && !closed) {
                int size = record.next(encrypted);
                excess += size;
                hadContent = false;
                ctx.fireChannelRead(encrypted.readRetainedSlice(size));
                if (record.isComplete() && !hadContent) {
                    emptyRecords++;
                    emptyBytes += record.size();
                }
                checkRecords(ctx);
            }
        } finally {
            encrypted.release();
        }
        if (!closed && connection != null && engine.getHandshakeStatus() == HandshakeStatus.NEED_UNWRAP) {
            handshakeReads++;
            if (handshakeReads > (connection.isMultiplexed() ? 0 : MAX_HANDSHAKE_READS)) {
                close(ctx, RENEGOTIATED);
            }
        }
    }

    private void checkRecords(ChannelHandlerContext ctx) {
        boolean tooManyKeys = hasKeyUpdates && (emptyRecords > MAX_EMPTY_RECORDS || emptyBytes > MAX_EMPTY_BYTES);
        if (!closed && (excess > MAX_EXCESS_BYTES || tooManyKeys)) {
            close(ctx, TOO_MANY_RECORDS);
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

    /** Receives the content of the records. */
    private final class Content extends ChannelInboundHandlerAdapter {

        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            if (message instanceof ByteBuf bytes) {
                hadContent = true;
                excess = Math.max(0, excess - bytes.readableBytes() * 3L / 2);
            }
            ctx.fireChannelRead(message);
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, Throwable thrown) {
            closed |= thrown instanceof DecoderException;
            ctx.fireExceptionCaught(thrown);
        }
    }

    /** Finds the end of each record from the five bytes of its header. */
    private static final class RecordReader {

        private static final int HEADER_BYTES = 5;
        /** The length follows the type and the version. */
        private static final int LENGTH_OFFSET = 3;

        private int headerBytes;
        private int payloadLeft;
        private int size;

        /** Returns how many of these bytes belong to the current record, at least one. */
        int next(ByteBuf bytes) {
            if (isComplete()) {
                headerBytes = 0;
                size = 0;
            }
            int index = bytes.readerIndex();
            while (headerBytes < HEADER_BYTES && index < bytes.writerIndex()) {
                int octet = bytes.getByte(index++) & 0xff;
                payloadLeft = headerBytes < LENGTH_OFFSET ? 0 : payloadLeft << 8 | octet;
                headerBytes++;
            }
            if (headerBytes == HEADER_BYTES) {
                int payload = Math.min(payloadLeft, bytes.writerIndex() - index);
                payloadLeft -= payload;
                index += payload;
            }
            int taken = index - bytes.readerIndex();
            size += taken;
            return taken;
        }

        boolean isComplete() {
            return headerBytes == HEADER_BYTES && payloadLeft == 0;
        }

        /** Returns the bytes of the current record that have arrived. */
        int size() {
            return size;
        }
    }
}
