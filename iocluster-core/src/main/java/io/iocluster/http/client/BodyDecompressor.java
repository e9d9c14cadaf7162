package io.iocluster.http.client;

import io.iocluster.http.client.BodyCollector.AppendResult;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.handler.codec.compression.DecompressionException;
import io.netty.handler.codec.compression.Decompressor;
import io.netty.handler.codec.compression.Decompressor.Status;
import io.netty.handler.codec.compression.JdkZlibDecompressor;
import io.netty.handler.codec.compression.ZlibWrapper;

/**
 * Decompresses one response body into its {@link BodyCollector}, a few KiB at a time, and stops as soon as the
 * collector is full. Confined to the event loop; closed by its attempt.
 *
 * <p>A gzip body may have several members; any other bytes after the first one are an error. Bytes after the end of a
 * deflate body are ignored. Compressed bytes are limited too, because a body can contain blocks that expand to nothing.
 */
final class BodyDecompressor implements AutoCloseable {

    private static final int CHUNK_BYTES = 8 * 1024;

    /** More than the header of a gzip member with its longest extra field. */
    private static final int MAX_HEADER_BYTES = 128 * 1024;

    private final Decompressor decompressor;
    private final BodyCollector body;
    private long compressedLeft;
    private boolean closed;

    BodyDecompressor(ContentCoding coding, BodyCollector body, int limit) {
        this.body = body;
        // Deflate makes an incompressible body longer by only a few bytes in each thousand.
        this.compressedLeft = limit + limit / 8L + MAX_HEADER_BYTES;
        this.decompressor = JdkZlibDecompressor.builder()
                .wrapper(coding == ContentCoding.GZIP ? ZlibWrapper.GZIP : ZlibWrapper.ZLIB_OR_NONE)
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
            return decompress(part);
        } catch (DecompressionException corrupt) {
            return AppendResult.CORRUPT;
        }
    }

    private AppendResult decompress(ByteBuf part) {
        if (decompressor.status() == Status.COMPLETE) {
            return AppendResult.APPENDED;
        }
        decompressor.addInput(part.retainedDuplicate());
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
            decompressor.close();
        }
    }
}
