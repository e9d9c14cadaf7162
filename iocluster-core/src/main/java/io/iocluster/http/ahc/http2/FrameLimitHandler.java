package io.iocluster.http.ahc.http2;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http2.Http2Connection;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2FrameCodec;
import io.netty.handler.codec.http2.Http2FrameTypes;
import io.netty.util.ReferenceCountUtil;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Closes an HTTP/2 connection whose target sends more frames without content than its calls explain. Reads only the nine bytes before
 * each frame. Confined to the connection's event loop.
 */
final class FrameLimitHandler extends ChannelInboundHandlerAdapter {

    /** Frames without content in a second that need no explanation. Targets send a few for each connection. */
    static final int MAX_FRAMES = 1_000;

    /**
     * Further frames without content in a second for each open or new stream. A call needs two or three of them; a body of 1 MiB
     * that the target acknowledges in pieces of 16 KiB needs 128.
     */
    static final int MAX_FRAMES_PER_STREAM = 150;

    private static final long WINDOW_NANOS = Duration.ofSeconds(1).toNanos();
    private static final int HEADER_BYTES = 9;
    private static final int LENGTH_BYTES = 3;

    private final LongSupplier clock;

    private int headerBytes;
    private int length;
    private int payloadBytes;

    private long windowStart;
    private int frames;
    private int streamsBefore;
    private boolean closed;

    FrameLimitHandler(LongSupplier clock) {
        this.clock = clock;
        this.windowStart = clock.getAsLong();
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        if (closed) {
            ReferenceCountUtil.release(message);
        } else if (message instanceof ByteBuf bytes && hasTooManyFrames(ctx, bytes)) {
            bytes.release();
            close(ctx);
        } else {
            ctx.fireChannelRead(message);
        }
    }

    private void close(ChannelHandlerContext ctx) {
        closed = true;
        ctx.fireExceptionCaught(Http2Exception.connectionError(
                Http2Error.ENHANCE_YOUR_CALM, "the target sent too many frames without content"));
        // Not through the TLS handler, which would continue to decrypt until the target has read its last message.
        ctx.pipeline().firstContext().close();
    }

    private boolean hasTooManyFrames(ChannelHandlerContext ctx, ByteBuf bytes) {
        int index = bytes.readerIndex();
        int end = bytes.writerIndex();
        while (index < end) {
            if (payloadBytes > 0) {
                int skipped = Math.min(payloadBytes, end - index);
                payloadBytes -= skipped;
                index += skipped;
                continue;
            }
            int octet = bytes.getByte(index++) & 0xff;
            if (headerBytes < LENGTH_BYTES) {
                length = length << 8 | octet;
            } else if (headerBytes == LENGTH_BYTES
                    && (octet != Http2FrameTypes.DATA || length == 0)
                    && isOverLimit(ctx)) {
                return true;
            }
            if (++headerBytes == HEADER_BYTES) {
                payloadBytes = length;
                headerBytes = 0;
                length = 0;
            }
        }
        return false;
    }

    /** Counts a frame. Looks at the clock and at the streams only after many frames. */
    private boolean isOverLimit(ChannelHandlerContext ctx) {
        if (++frames <= MAX_FRAMES) {
            return false;
        }
        Http2FrameCodec codec = ctx.pipeline().get(Http2FrameCodec.class);
        if (codec == null) {
            return true;
        }
        Http2Connection connection = codec.connection();
        int streams = connection.local().lastStreamCreated() / 2;
        long now = clock.getAsLong();
        if (now - windowStart >= WINDOW_NANOS) {
            windowStart = now;
            frames = 1;
            streamsBefore = streams;
            return false;
        }
        long explained = (long) connection.numActiveStreams() + streams - streamsBefore;
        return frames > MAX_FRAMES + MAX_FRAMES_PER_STREAM * explained;
    }
}
