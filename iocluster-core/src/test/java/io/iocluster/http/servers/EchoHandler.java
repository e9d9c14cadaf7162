package io.iocluster.http.servers;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http.QueryStringDecoder;
import io.netty.handler.codec.http2.DefaultHttp2ResetFrame;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2StreamChannel;
import io.netty.util.AttributeKey;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** Answers the requests of a connection with HTTP/1.1, or the request of a stream. Confined to its event loop. */
final class EchoHandler extends SimpleChannelInboundHandler<HttpObject> {

    /** The number of requests of a connection. */
    static final AttributeKey<Integer> REQUESTS = AttributeKey.valueOf(EchoHandler.class, "requests");

    private static final int REQUESTS_PER_CONNECTION = 10;
    private static final int STREAMS_PER_CONNECTION = 100;
    private static final int REFUSED_EACH = 10;
    private static final int SLOW_READ_MILLIS = 5;
    /** How long the application does not read after an early answer. */
    private static final int NO_READ_MILLIS = 100;

    private final Fault fault;
    private final Map<String, String> processed;

    private ChannelHandlerContext context;
    private MessageDigest digest;
    private String path;
    private String id;
    private int size;
    private long length;
    private boolean isOpen;
    private boolean isAnswered;
    private boolean keepAlive;
    private boolean isEnding;

    EchoHandler(Fault fault, Map<String, String> processed) {
        this.fault = fault;
        this.processed = processed;
    }

    /** Ends a connection with HTTP/1.1 after the request that is open. */
    void endConnection() {
        isEnding = true;
        if (!isOpen) {
            context.close();
        }
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        context = ctx;
    }

    @Override
    protected void channelRead0(ChannelHandlerContext ctx, HttpObject message) {
        if (message instanceof HttpRequest request) {
            begin(ctx, request);
        }
        if (message instanceof HttpContent part && isOpen) {
            read(ctx, part.content());
            if (part instanceof LastHttpContent) {
                isOpen = false;
                if (isAnswered) {
                    closeAfterLastRequest(ctx);
                } else {
                    answer(ctx, HttpResponseStatus.OK, Echo.text(id, length, hash(), size));
                }
            }
        }
    }

    private void begin(ChannelHandlerContext ctx, HttpRequest request) {
        int number = countRequest(ctx);
        boolean isStream = ctx.channel() instanceof Http2StreamChannel;
        if (isStream && fault == Fault.REFUSED_STREAMS && number % REFUSED_EACH == 0) {
            ctx.writeAndFlush(new DefaultHttp2ResetFrame(Http2Error.REFUSED_STREAM));
            return;
        }
        QueryStringDecoder url = new QueryStringDecoder(request.uri());
        path = url.path();
        digest = Echo.newDigest();
        length = 0;
        isOpen = true;
        isAnswered = false;
        keepAlive = HttpUtil.isKeepAlive(request);
        if (!request.decoderResult().isSuccess() || !url.parameters().keySet().containsAll(Set.of("id", "size"))) {
            isEnding = true;
            answer(ctx, HttpResponseStatus.BAD_REQUEST, request.uri().getBytes(StandardCharsets.ISO_8859_1));
            return;
        }
        id = url.parameters().get("id").get(0);
        size = Integer.parseInt(url.parameters().get("size").get(0));
        processed.put(id, request.method() + " " + request.uri());
        if (fault == Fault.KEEPALIVE_LIMIT) {
            if (!isStream && number >= REQUESTS_PER_CONNECTION) {
                isEnding = true;
            } else if (isStream && number == STREAMS_PER_CONNECTION) {
                EchoServer.end(ctx.channel().parent());
            }
        }
        if (path.equals("/deny")) {
            answer(ctx, HttpResponseStatus.UNAUTHORIZED, "denied\n".getBytes(StandardCharsets.US_ASCII));
            pause(ctx, NO_READ_MILLIS);
        }
    }

    private static int countRequest(ChannelHandlerContext ctx) {
        Channel connection = ctx.channel() instanceof Http2StreamChannel stream ? stream.parent() : ctx.channel();
        Integer earlier = connection.attr(REQUESTS).get();
        int number = earlier == null ? 1 : earlier + 1;
        connection.attr(REQUESTS).set(number);
        return number;
    }

    private void read(ChannelHandlerContext ctx, ByteBuf part) {
        length += part.readableBytes();
        digest.update(part.nioBuffer());
        if (path.equals("/slow") && part.isReadable()) {
            pause(ctx, SLOW_READ_MILLIS);
        }
    }

    private static void pause(ChannelHandlerContext ctx, int millis) {
        ctx.channel().config().setAutoRead(false);
        ctx.executor().schedule(() -> ctx.channel().config().setAutoRead(true), millis, TimeUnit.MILLISECONDS);
    }

    private String hash() {
        return HexFormat.of().formatHex(digest.digest());
    }

    private void answer(ChannelHandlerContext ctx, HttpResponseStatus status, byte[] body) {
        isAnswered = true;
        DefaultFullHttpResponse response =
                new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, status, Unpooled.wrappedBuffer(body));
        response.headers().set(HttpHeaderNames.CONTENT_LENGTH, body.length);
        if (!(ctx.channel() instanceof Http2StreamChannel)) {
            response.headers()
                    .set(
                            HttpHeaderNames.CONNECTION,
                            isLastRequest(ctx) ? HttpHeaderValues.CLOSE : HttpHeaderValues.KEEP_ALIVE);
        }
        ctx.writeAndFlush(response).addListener(written -> closeAfterLastRequest(ctx));
    }

    private boolean isLastRequest(ChannelHandlerContext ctx) {
        return !(ctx.channel() instanceof Http2StreamChannel) && (isEnding || !keepAlive);
    }

    /** Closes the connection only after it has read the whole request, because a reset could overtake the answer (RFC 9112, section 9.6). */
    private void closeAfterLastRequest(ChannelHandlerContext ctx) {
        if (!isOpen && isLastRequest(ctx)) {
            ctx.close();
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        ctx.close();
    }
}
