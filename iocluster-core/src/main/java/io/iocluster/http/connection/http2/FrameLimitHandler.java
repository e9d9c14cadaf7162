package io.iocluster.http.connection.http2;

import io.iocluster.http.connection.ProtocolViolationException;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http2.Http2Connection;
import io.netty.handler.codec.http2.Http2FrameTypes;
import io.netty.handler.codec.http2.Http2Stream;
import io.netty.util.ReferenceCountUtil;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Closes an HTTP/2 connection whose target sends more frames with little or no content than its calls explain. Reads only the nine
 * bytes before each frame. Confined to the connection's event loop.
 */
final class FrameLimitHandler extends ChannelDuplexHandler {

    /** Frames of each kind in a second that need no explanation. Targets send a few for each connection. */
    static final int MAX_FRAMES = 1_000;

    /** Further frames without content in a second for each open or new stream. A call without a body needs two or three of them. */
    static final int MAX_FRAMES_PER_STREAM = 20;

    /**
     * Allows one more frame without content for each 512 bytes that the node sent. Each sent DATA frame has at least 1 KiB while the windows
     * allow it, and a target may answer it with two frames: a WINDOW_UPDATE of the connection, and one of the stream or its reset.
     */
    static final int SENT_BYTES_PER_FRAME = 512;

    /** DATA frames of fewer bytes on average are small. */
    static final int SMALL_DATA_BYTES = 64;

    /** Further small DATA frames over the life of each stream. A response may have as many small parts. */
    static final int MAX_SMALL_DATA_PER_STREAM = 4_096;

    /** As large as the windows that targets announce for a connection. */
    static final int MAX_BYTES_ON_THE_WAY = 16 << 20;

    private static final int MAX_DATA_DEFICIT = SMALL_DATA_BYTES * MAX_FRAMES;
    private static final long CREDIT_PER_STREAM = (long) SMALL_DATA_BYTES * MAX_SMALL_DATA_PER_STREAM;
    private static final long WINDOW_NANOS = Duration.ofSeconds(1).toNanos();
    private static final int HEADER_BYTES = 9;
    private static final int LENGTH_BYTES = 3;
    /** The stream follows the length, the type and the flags. */
    private static final int STREAM_OFFSET = LENGTH_BYTES + 2;

    private final LongSupplier clock;

    private int headerBytes;
    private int length;
    private int type;
    private int stream;
    private int payloadBytes;

    private final Http2Connection connection;
    private long windowStart;
    private int frames;
    private int streamsBefore;
    private long sentBytes;
    private long sentBytesBefore;
    private long dataWindowStart;
    /** Bytes by which the DATA frames of this second fall short of {@value #SMALL_DATA_BYTES}. */
    private int dataDeficit;

    private int streamsCredited;
    private long dataCredit;
    private boolean closed;

    FrameLimitHandler(LongSupplier clock, Http2Connection connection) {
        this.clock = clock;
        this.connection = connection;
        this.windowStart = clock.getAsLong();
        this.dataWindowStart = windowStart;
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        if (closed) {
            ReferenceCountUtil.release(message);
        } else if (message instanceof ByteBuf bytes && hasTooManyFrames(bytes)) {
            bytes.release();
            close(ctx);
        } else {
            ctx.fireChannelRead(message);
        }
    }

    @Override
    public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
        if (message instanceof ByteBuf bytes) {
            sentBytes += bytes.readableBytes();
        }
        ctx.write(message, promise);
    }

    private void close(ChannelHandlerContext ctx) {
        closed = true;
        ctx.fireExceptionCaught(
                new ProtocolViolationException("the target sent too many frames with little or no content"));
        // Not through the TLS handler, which would continue to decrypt until the target has read its last message.
        ctx.pipeline().firstContext().close();
    }

    private boolean hasTooManyFrames(ByteBuf bytes) {
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
            } else if (headerBytes == LENGTH_BYTES) {
                type = octet;
            } else if (headerBytes >= STREAM_OFFSET) {
                stream = stream << 8 | octet;
            }
            if (++headerBytes == HEADER_BYTES) {
                if (isDataOfOpenCall() ? isDataOverLimit() : isOverLimit()) {
                    return true;
                }
                payloadBytes = length;
                headerBytes = 0;
                length = 0;
                stream = 0;
            }
        }
        return false;
    }

    /**
     * Returns whether the frame may have content for a call. The codec drops DATA frames of calls that have ended, so these count as
     * frames without content.
     */
    private boolean isDataOfOpenCall() {
        if (type != Http2FrameTypes.DATA || length == 0) {
            return false;
        }
        Http2Stream addressed = connection.stream(stream & Integer.MAX_VALUE);
        return addressed != null && !addressed.isResetSent();
    }

    /** Counts a frame without content. Reads the clock and the streams only after many frames. */
    private boolean isOverLimit() {
        if (++frames <= MAX_FRAMES) {
            return false;
        }
        int streams = createdStreams(connection);
        long now = clock.getAsLong();
        if (now - windowStart >= WINDOW_NANOS) {
            // The target may answer in this second what the node sent in the last one. If the last frames are older,
            // only
            // what may still be on its way counts.
            sentBytesBefore =
                    now - windowStart < 2 * WINDOW_NANOS ? sentBytes : Math.min(sentBytes, MAX_BYTES_ON_THE_WAY);
            sentBytes = 0;
            windowStart = now;
            frames = 1;
            streamsBefore = streams;
            return false;
        }
        long explained = (long) connection.local().numActiveStreams() + streams - streamsBefore;
        return frames
                > MAX_FRAMES + MAX_FRAMES_PER_STREAM * explained + (sentBytesBefore + sentBytes) / SENT_BYTES_PER_FRAME;
    }

    /** Counts the bytes by which a DATA frame falls short of {@value #SMALL_DATA_BYTES}. */
    private boolean isDataOverLimit() {
        dataDeficit = Math.max(0, dataDeficit + SMALL_DATA_BYTES - length);
        if (dataDeficit <= MAX_DATA_DEFICIT) {
            return false;
        }
        int streams = createdStreams(connection);
        dataCredit += CREDIT_PER_STREAM * (streams - streamsCredited);
        streamsCredited = streams;
        long now = clock.getAsLong();
        if (now - dataWindowStart >= WINDOW_NANOS) {
            dataWindowStart = now;
            dataDeficit = 0;
            // Otherwise thousands of calls that have ended would allow millions of frames later.
            dataCredit =
                    Math.min(dataCredit, CREDIT_PER_STREAM * connection.local().numActiveStreams());
            return false;
        }
        dataCredit -= dataDeficit - MAX_DATA_DEFICIT;
        dataDeficit = MAX_DATA_DEFICIT;
        return dataCredit < 0;
    }

    /** Returns how many streams the node has opened. */
    private static int createdStreams(Http2Connection connection) {
        return connection.local().lastStreamCreated() / 2;
    }
}
