package io.iocluster.http.connection.http1;

import io.netty.buffer.ByteBuf;

/**
 * Removes blanks between the size of a chunk and the end of its line. Some servers pad sizes with blanks, and curl, Go and browsers ignore
 * them, but Netty's decoder refuses them. Tracks where the decoder is, to find the line of each chunk. Confined to one event loop.
 */
final class ChunkPaddingRemover {

    private static final int LINE_END_BYTES = 2;

    private static final long NO_CHUNKS = -1;

    /** Bytes of the current chunk that the decoder has not read, including its line and its end; 0 before a line. */
    private long bytesLeft = NO_CHUNKS;

    private int readable;

    /** Called when the decoder has read the head of a chunked response. */
    void startBody() {
        bytesLeft = 0;
    }

    /** Called when the decoder has read the last part of a response. */
    void endBody() {
        bytesLeft = NO_CHUNKS;
    }

    /** Called before the decoder reads from the buffer. */
    void beforeDecoding(ByteBuf buffer) {
        if (bytesLeft == 0) {
            startChunk(buffer);
        }
        readable = buffer.readableBytes();
    }

    /** Called after the decoder has read from the buffer. */
    void afterDecoding(ByteBuf buffer) {
        if (bytesLeft > 0) {
            bytesLeft -= readable - buffer.readableBytes();
        }
    }

    /** Moves the size of the chunk to the end of its line. Does nothing before the whole line has arrived, or if the decoder refuses it. */
    private void startChunk(ByteBuf buffer) {
        int start = buffer.readerIndex();
        int lineFeed = buffer.indexOf(start, buffer.writerIndex(), (byte) '\n');
        if (lineFeed <= start || buffer.getByte(lineFeed - 1) != '\r') {
            return;
        }
        int end = start;
        long size = 0;
        for (int digit = hexDigit(buffer.getByte(end)); digit >= 0 && size <= Integer.MAX_VALUE; end++) {
            size = size * 16 + digit;
            digit = hexDigit(buffer.getByte(end + 1));
        }
        int padding = blanks(buffer, end, lineFeed - 1);
        if (end > start && padding > 0) {
            for (int i = end - 1; i >= start; i--) {
                buffer.setByte(i + padding, buffer.getByte(i));
            }
            buffer.skipBytes(padding);
        }
        // The last chunk has no content; trailers follow.
        bytesLeft = size == 0 ? NO_CHUNKS : lineFeed + 1L - buffer.readerIndex() + size + LINE_END_BYTES;
    }

    /** Returns the number of blanks from an index to the end of a line, or 0 if there is anything else. */
    private static int blanks(ByteBuf buffer, int from, int lineEnd) {
        for (int i = from; i < lineEnd; i++) {
            byte each = buffer.getByte(i);
            if (each != ' ' && each != '\t') {
                return 0;
            }
        }
        return lineEnd - from;
    }

    private static int hexDigit(byte digit) {
        return digit < 0 ? -1 : Character.digit(digit, 16);
    }
}
