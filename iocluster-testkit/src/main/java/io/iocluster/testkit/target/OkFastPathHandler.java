package io.iocluster.testkit.target;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.nio.charset.StandardCharsets;

/**
 * Answers {@code GET /ok} without decoding it. A connection that sends any other request, a partial request, a body or
 * a header that affects the connection, or any request while the target has a fault, uses the HTTP codec from then on. Confined to the connection's event loop.
 */
final class OkFastPathHandler extends ChannelInboundHandlerAdapter {

    private static final byte[] START = ascii("GET /ok");
    private static final byte[][] UNSUPPORTED_HEADERS = {
        ascii("\r\ncontent-length"), ascii("\r\ntransfer-encoding"), ascii("\r\nconnection"), ascii("\r\nexpect")
    };
    private static final ByteBuf ANSWER = Unpooled.unreleasableBuffer(Unpooled.directBuffer()
            .writeBytes(ascii("HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: 2\r\n\r\nok"))
            .asReadOnly());

    private final RequestLog requestLog;
    private final Behaviours behaviours;

    OkFastPathHandler(RequestLog requestLog, Behaviours behaviours) {
        this.requestLog = requestLog;
        this.behaviours = behaviours;
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        ByteBuf in = (ByteBuf) message;
        while (in.isReadable()) {
            int length = requestLog.isDetailed() || behaviours.hasFault() ? 0 : fastPathLength(in);
            if (length == 0) {
                ctx.pipeline().remove(this);
                ctx.fireChannelRead(in);
                return;
            }
            in.skipBytes(length);
            requestLog.recordFastPathRequest();
            ctx.write(ANSWER.duplicate());
        }
        in.release();
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        ctx.flush();
        ctx.fireChannelReadComplete();
    }

    /** Returns the length of the fast-path request at the start of the buffer, or 0 if there is none. */
    private static int fastPathLength(ByteBuf in) {
        int start = in.readerIndex();
        int end = in.writerIndex();
        if (end - start < START.length + 13 || !matches(in, start, START)) {
            return 0;
        }
        byte next = in.getByte(start + START.length);
        if (next != ' ' && next != '?') {
            return 0;
        }
        int cr = start;
        while ((cr = in.indexOf(cr, end, (byte) '\r')) >= 0 && cr + 4 <= end) {
            if (in.getByte(cr + 2) == '\r') {
                return in.getByte(cr + 1) == '\n' && in.getByte(cr + 3) == '\n' ? cr + 4 - start : 0;
            }
            if (isUnsupportedHeader(in, cr, end)) {
                return 0;
            }
            cr += 2;
        }
        return 0;
    }

    private static boolean isUnsupportedHeader(ByteBuf in, int cr, int end) {
        int first = in.getByte(cr + 2) | 0x20;
        if (first != 'c' && first != 't' && first != 'e') {
            return false;
        }
        for (byte[] name : UNSUPPORTED_HEADERS) {
            if (cr + name.length <= end && matches(in, cr, name)) {
                return true;
            }
        }
        return false;
    }

    /** Compares header names without regard to case; {@code expected} is in lower case, except for the request line. */
    private static boolean matches(ByteBuf in, int index, byte[] expected) {
        for (int i = 0; i < expected.length; i++) {
            byte actual = in.getByte(index + i);
            if (actual != expected[i] && !(actual >= 'A' && actual <= 'Z' && (actual | 0x20) == expected[i])) {
                return false;
            }
        }
        return true;
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
