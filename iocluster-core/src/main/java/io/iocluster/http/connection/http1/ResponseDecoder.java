package io.iocluster.http.connection.http1;

import io.iocluster.http.connection.HttpConnection;
import io.iocluster.http.connection.ProtocolViolationException;
import io.iocluster.http.connection.WireRequest;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpHeaderValidationUtil;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseDecoder;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.AsciiString;
import java.util.List;

/**
 * Decodes the responses of one connection. Knows the request, because a response to HEAD has no body.
 *
 * <p>Accepts what curl and Go accept, except what clients read in different ways. There a target, or another client of a shared proxy,
 * could hide one response in another (response smuggling).
 *
 * <p>Replaces bytes before a request or after its response by {@link #UNEXPECTED}. Netty's decoder would keep them and read them as the
 * beginning of the next response.
 */
final class ResponseDecoder extends HttpResponseDecoder {

    /** The message in place of bytes that belong to no response. */
    static final Object UNEXPECTED = new Object();

    /**
     * Maximum number of reads of a response that do not complete a line. Such a read scans the incomplete line again, so a head of 64 KiB
     * that arrives in single bytes occupies the event loop for more than half a second.
     */
    static final int MAX_SMALL_READS = 4_096;

    /** Bytes of a response that allow one more small read. */
    private static final int BYTES_FOR_EACH_READ = 64;

    /** Further bytes besides the body that each byte of the body allows. A chunk of one byte needs at least five. */
    private static final int OVERHEAD_PER_BYTE = 16;

    private static final boolean[] NAME_CHARACTERS = new boolean[0x80];

    static {
        for (int c = 0; c < NAME_CHARACTERS.length; c++) {
            NAME_CHARACTERS[c] = HttpHeaderValidationUtil.validateToken(String.valueOf((char) c)) < 0;
        }
    }

    private final ChunkPaddingRemover chunkPadding = new ChunkPaddingRemover();

    private HttpMethod method;
    private boolean received;
    private boolean expectsResponse;
    private boolean decodesFinalResponse;
    private long decodedBytes;
    private long bodyBytes;
    private long smallReads;
    private final long maxOverhead;

    ResponseDecoder(HttpDecoderConfig config) {
        super(config);
        // Netty limits heads, trailers and lines of chunks, but not all of them together, nor the blank lines before a
        // response.
        this.maxOverhead = (long) HttpConnection.MAX_HEADS * config.getMaxHeaderSize();
    }

    /** Called before a request is sent. */
    void expectResponse(HttpMethod requestMethod) {
        method = requestMethod;
        received = false;
        expectsResponse = true;
        decodesFinalResponse = false;
        decodedBytes = 0;
        bodyBytes = 0;
        smallReads = 0;
    }

    /** Returns whether a byte has arrived since the request. */
    boolean hasReceived() {
        return received;
    }

    @Override
    protected void decode(ChannelHandlerContext ctx, ByteBuf buffer, List<Object> out) throws Exception {
        received = true;
        if (!expectsResponse) {
            buffer.skipBytes(buffer.readableBytes());
            out.add(UNEXPECTED);
            return;
        }
        int known = out.size();
        int readable = buffer.readableBytes();
        chunkPadding.beforeDecoding(buffer);
        super.decode(ctx, buffer, out);
        chunkPadding.afterDecoding(buffer);
        if (readable == buffer.readableBytes()) {
            countSmallRead(ctx, buffer);
        } else {
            decodedBytes += readable - buffer.readableBytes();
        }
        for (int i = known; i < out.size(); i++) {
            if (out.get(i) instanceof HttpResponse response) {
                decodesFinalResponse = isFinal(response);
                if (response.headers() instanceof ResponseHeaders headers
                        && headers.hasTransferEncoding()
                        && HttpUtil.isTransferEncodingChunked(response)) {
                    chunkPadding.startBody();
                }
            }
            if (out.get(i) instanceof HttpContent content) {
                bodyBytes += content.content().readableBytes();
            }
            if (out.get(i) instanceof LastHttpContent) {
                chunkPadding.endBody();
                expectsResponse = !decodesFinalResponse;
            }
        }
        if (decodedBytes - bodyBytes > maxOverhead + OVERHEAD_PER_BYTE * bodyBytes) {
            refuse(ctx, buffer, HttpConnection.TOO_MANY_BYTES_BESIDES_BODY);
        }
    }

    private void countSmallRead(ChannelHandlerContext ctx, ByteBuf buffer) {
        if (++smallReads > MAX_SMALL_READS + decodedBytes / BYTES_FOR_EACH_READ) {
            refuse(ctx, buffer, "a line of the response arrives in more than " + MAX_SMALL_READS + " small parts");
        }
    }

    private static void refuse(ChannelHandlerContext ctx, ByteBuf buffer, String violation) {
        buffer.skipBytes(buffer.readableBytes());
        ctx.fireExceptionCaught(new ProtocolViolationException(violation));
    }

    @Override
    protected boolean isContentAlwaysEmpty(HttpMessage message) {
        return WireRequest.excludesBody(
                method, ((HttpResponse) message).status().code());
    }

    private static boolean isFinal(HttpResponse response) {
        return response.status().codeClass() != HttpStatusClass.INFORMATIONAL;
    }

    @Override
    protected HttpMessage createMessage(String[] statusLine) {
        return new DefaultHttpResponse(
                StatusLine.version(statusLine[0]), StatusLine.status(statusLine[1]), headersFactory);
    }

    /**
     * Reads the name of a header. Refuses a blank before the colon: Netty would drop it, and other clients drop such a header, so it could
     * hide where the response ends (RFC 9112, section 5.1).
     */
    @Override
    protected AsciiString splitHeaderName(byte[] line, int start, int length) {
        if (length == 0 || line[start + length] != ':') {
            throw new ProtocolViolationException(
                    "a header line has no colon directly after a name, so other clients ignore it (response smuggling)");
        }
        for (int i = start; i < start + length; i++) {
            if (line[i] < 0 || !NAME_CHARACTERS[line[i]]) {
                throw new ProtocolViolationException("a header name has a character that is not allowed in names");
            }
        }
        return super.splitHeaderName(line, start, length);
    }

    @Override
    protected void handleTransferEncodingChunkedWithContentLength(HttpMessage message) {
        throw new ProtocolViolationException(
                "both Transfer-Encoding and Content-Length say where the response ends" + " (response smuggling)");
    }
}
