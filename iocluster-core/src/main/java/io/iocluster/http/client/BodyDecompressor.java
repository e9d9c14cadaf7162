package io.iocluster.http.client;

import io.iocluster.http.client.BodyCollector.AppendResult;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.compression.DecompressionException;
import io.netty.handler.codec.compression.Decompressor;
import io.netty.handler.codec.compression.Decompressor.Status;
import io.netty.handler.codec.compression.JdkZlibDecompressor;
import io.netty.handler.codec.compression.ZlibWrapper;

/**
 * Decompresses one response body into its {@link BodyCollector}, a few KiB at a time, and stops as soon as the
 * collector is full. Confined to the event loop; closed by its attempt.
 *
 * <p>A gzip body may have several members; any other bytes after the first one are an error, as for curl and Go. Bytes after the end of a
 * deflate body are ignored. Compressed bytes are limited too, because a body can contain blocks that expand to nothing.
 */
final class BodyDecompressor implements AutoCloseable {

    private static final int CHUNK_BYTES = 8 * 1024;

    /** More than the header of a gzip member with its longest extra field. */
    private static final int MAX_HEADER_BYTES = 128 * 1024;

    private static final int DEFLATE_METHOD = 8;
    private static final int MAX_WINDOW_BITS = 7;

    private final ContentCoding coding;
    private final BodyCollector body;
    /** Null until the first bytes have shown the format. */
    private Decompressor decompressor;

    /** The first byte of a deflate body whose second one has not arrived; null if there is none. */
    private ByteBuf firstByte;

    private long compressedLeft;
    private boolean closed;

    BodyDecompressor(ContentCoding coding, BodyCollector body, int limit) {
        this.coding = coding;
        this.body = body;
        // Deflate makes an incompressible body longer by only a few bytes in each thousand.
        this.compressedLeft = limit + limit / 8L + MAX_HEADER_BYTES;
    }

    private static Decompressor create(ZlibWrapper format) {
        return JdkZlibDecompressor.builder()
                .wrapper(format)
                .decompressConcatenated(true)
                .maxAllocation(CHUNK_BYTES)
                .build(PooledByteBufAllocator.DEFAULT);
    }

    /** Decompresses a part. The caller releases the part. */
    AppendResult append(ByteBuf part) {
        compressedLeft -= part.readableBytes();
        if (compressedLeft < 0) {
            return AppendResult.TRUNCATED;
        }
        try {
            return decompressor == null ? start(part) : decompress(part.retainedDuplicate());
        } catch (DecompressionException corrupt) {
            return AppendResult.CORRUPT;
        }
    }

    /** Chooses the format. Netty's decompressor would treat zlib data with a window of less than 32 KiB as raw deflate data. */
    private AppendResult start(ByteBuf part) {
        if (coding == ContentCoding.GZIP) {
            decompressor = create(ZlibWrapper.GZIP);
            return decompress(part.retainedDuplicate());
        }
        if (!part.isReadable()) {
            return AppendResult.APPENDED;
        }
        if (firstByte == null && part.readableBytes() == 1) {
            firstByte = part.copy();
            return AppendResult.APPENDED;
        }
        ByteBuf input = part.retainedDuplicate();
        if (firstByte != null) {
            input = Unpooled.wrappedBuffer(firstByte, input);
            firstByte = null;
        }
        decompressor =
                create(isZlib(input.getUnsignedShort(input.readerIndex())) ? ZlibWrapper.ZLIB : ZlibWrapper.NONE);
        return decompress(input);
    }

    /** Returns whether these are the first two bytes of zlib data (RFC 1950, section 2.2). */
    private static boolean isZlib(int header) {
        int method = header >> 8 & 0xf;
        int windowBits = header >> 12;
        return method == DEFLATE_METHOD && windowBits <= MAX_WINDOW_BITS && header % 31 == 0;
    }

    /** Decompresses the input and releases it. */
    private AppendResult decompress(ByteBuf input) {
        if (decompressor.status() == Status.COMPLETE) {
            input.release();
            return AppendResult.APPENDED;
        }
        decompressor.addInput(input);
        while (decompressor.status() == Status.NEED_OUTPUT) {
            ByteBuf chunk = decompressor.takeOutput();
            try {
                AppendResult result = body.append(chunk);
                if (result != AppendResult.APPENDED) {
                    return result;
                }
            } finally {
                chunk.release();
            }
        }
        return AppendResult.APPENDED;
    }

    /** Returns whether the compressed body is complete after its last part. */
    boolean finish() {
        if (decompressor == null) {
            return false;
        }
        try {
            if (decompressor.status() != Status.COMPLETE) {
                decompressor.endOfInput();
            }
            return decompressor.status() == Status.COMPLETE;
        } catch (DecompressionException truncated) {
            return false;
        }
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            if (decompressor != null) {
                decompressor.close();
            }
            if (firstByte != null) {
                firstByte.release();
                firstByte = null;
            }
        }
    }
}
