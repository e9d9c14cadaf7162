package io.iocluster.http.client.fuzz;

import java.nio.ByteBuffer;
import java.util.Arrays;

/** One HTTP/2 frame (RFC 9113, section 4.1). */
record Frame(int type, int flags, int stream, byte[] payload) {

    static final int DATA = 0;
    static final int HEADERS = 1;
    static final int PRIORITY = 2;
    static final int RST_STREAM = 3;
    static final int SETTINGS = 4;
    static final int PUSH_PROMISE = 5;
    static final int PING = 6;
    static final int GOAWAY = 7;
    static final int WINDOW_UPDATE = 8;
    static final int CONTINUATION = 9;
    static final int ALTSVC = 10;

    static final int ACK = 1;
    static final int END_STREAM = 1;
    static final int END_HEADERS = 4;
    static final int PADDED = 8;
    static final int HAS_PRIORITY = 32;

    static final int REFUSED_STREAM = 7;
    static final int HTTP_1_1_REQUIRED = 13;

    private static final int HEADER_BYTES = 9;

    boolean has(int flag) {
        return (flags & flag) != 0;
    }

    Frame withFlags(int newFlags) {
        return new Frame(type, newFlags, stream, payload);
    }

    byte[] bytes() {
        return ByteBuffer.allocate(HEADER_BYTES + payload.length)
                .put((byte) (payload.length >> 16))
                .putShort((short) payload.length)
                .put((byte) type)
                .put((byte) flags)
                .putInt(stream)
                .put(payload)
                .array();
    }

    /** Returns the payload as a number of four bytes, without its highest bit. */
    int number(int offset) {
        return ByteBuffer.wrap(payload).getInt(offset) & Integer.MAX_VALUE;
    }

    static byte[] numbers(int... values) {
        ByteBuffer payload = ByteBuffer.allocate(4 * values.length);
        Arrays.stream(values).forEach(payload::putInt);
        return payload.array();
    }

    /** Reads frames from bytes that arrive in pieces. */
    static final class Reader {

        private byte[] bytes = {};
        private int next;

        Reader(byte[] first) {
            bytes = first;
        }

        void add(byte[] more) {
            bytes = Bytes.join(Arrays.copyOfRange(bytes, next, bytes.length), more);
            next = 0;
        }

        /** Returns the next frame, or null if it is not complete. */
        Frame poll() {
            if (remaining() < HEADER_BYTES) {
                return null;
            }
            ByteBuffer header = ByteBuffer.wrap(bytes, next, HEADER_BYTES);
            int length = (header.get() & 0xff) << 16 | header.getShort() & 0xffff;
            if (remaining() < HEADER_BYTES + length) {
                return null;
            }
            int start = next + HEADER_BYTES;
            next = start + length;
            return new Frame(
                    header.get() & 0xff,
                    header.get() & 0xff,
                    header.getInt() & Integer.MAX_VALUE,
                    Arrays.copyOfRange(bytes, start, next));
        }

        int remaining() {
            return bytes.length - next;
        }
    }
}
