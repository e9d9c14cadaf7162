package io.iocluster.testkit.target;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOption;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http.QueryStringDecoder;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** One request and the ways to answer it, or not. Confined to the connection's event loop. */
final class Exchange {

    private final TargetConnectionHandler connection;
    private final ChannelHandlerContext ctx;
    private final RequestLog ledger;
    private final String method;
    private final HttpHeaders headers;
    private final byte[] body;
    private final boolean keepAlive;
    private final String path;
    private final Map<String, List<String>> parameters;
    private final String id;
    private final String key;
    private boolean over;

    Exchange(
            TargetConnectionHandler connection, ChannelHandlerContext ctx, FullHttpRequest request, RequestLog ledger) {
        this.connection = connection;
        this.ctx = ctx;
        this.ledger = ledger;
        this.method = request.method().name();
        this.headers = request.headers();
        this.body = new byte[request.content().readableBytes()];
        request.content().getBytes(request.content().readerIndex(), body);
        this.keepAlive = HttpUtil.isKeepAlive(request);
        QueryStringDecoder url = new QueryStringDecoder(request.uri());
        this.path = url.path();
        this.parameters = url.parameters();
        this.id = named("id", "x-id");
        this.key = named("key", "x-key");
        if (!path.startsWith("/ledger")) {
            ledger.recordStart(id, key);
        }
    }

    String method() {
        return method;
    }

    String path() {
        return path;
    }

    HttpHeaders headers() {
        return headers;
    }

    byte[] body() {
        return body;
    }

    Map<String, List<String>> parameters() {
        return parameters;
    }

    /** The query's value, or what is given if it has none. */
    String parameter(String name, String otherwise) {
        List<String> values = parameters.get(name);
        return values == null ? otherwise : values.get(0);
    }

    /** The query's value as a number, or what is given if it has none. */
    int intParameter(String name, int otherwise) {
        String text = parameter(name, null);
        return text == null ? otherwise : Integer.parseInt(text);
    }

    void schedule(int millis, Runnable step) {
        ctx.executor()
                .schedule(
                        () -> {
                            if (!over) {
                                step.run();
                            }
                        },
                        millis,
                        TimeUnit.MILLISECONDS);
    }

    /** Answers whole; further headers come in pairs of name and value. */
    void respond(int status, String contentType, byte[] content, String... further) {
        ByteBuf buffer = Unpooled.wrappedBuffer(content);
        DefaultFullHttpResponse response =
                new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.valueOf(status), buffer);
        response.headers().set(HttpHeaderNames.CONTENT_TYPE, contentType);
        if (status >= 200 && status != 204 && status != 304) {
            response.headers().set(HttpHeaderNames.CONTENT_LENGTH, content.length);
        }
        for (int i = 0; i < further.length; i += 2) {
            response.headers().add(further[i], further[i + 1]);
        }
        finish();
        ctx.writeAndFlush(response).addListener(keepAlive ? future -> {} : ChannelFutureListener.CLOSE);
        connection.startNext(ctx);
    }

    /** An informational answer ahead of the real one. */
    void respondInformational(int status) {
        ctx.writeAndFlush(new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.valueOf(status)));
    }

    /** Begins an answer of this length, to be gone on with by {@link #writeChunk}. */
    void startResponse(int status, long length) {
        DefaultHttpResponse response =
                new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.valueOf(status));
        if (length < 0) {
            HttpUtil.setTransferEncodingChunked(response, true);
        } else {
            response.headers().set(HttpHeaderNames.CONTENT_LENGTH, length);
        }
        ctx.writeAndFlush(response);
    }

    void writeChunk(byte[] content) {
        ctx.writeAndFlush(new DefaultHttpContent(Unpooled.wrappedBuffer(content)));
    }

    /** Ends an answer that was begun. */
    void endResponse() {
        finish();
        ctx.writeAndFlush(LastHttpContent.EMPTY_LAST_CONTENT)
                .addListener(keepAlive ? future -> {} : ChannelFutureListener.CLOSE);
        connection.startNext(ctx);
    }

    /** Writes bytes that no codec saw and closes. */
    void writeRaw(byte[] bytes) {
        finish();
        ctx.pipeline()
                .firstContext()
                .writeAndFlush(Unpooled.wrappedBuffer(bytes))
                .addListener(ChannelFutureListener.CLOSE);
    }

    /** Ends the connection in good order. */
    void close() {
        finish();
        ctx.close();
    }

    /** Ends the connection with a reset. */
    void reset() {
        finish();
        ctx.channel().config().setOption(ChannelOption.SO_LINGER, 0);
        ctx.close();
    }

    /** The client went away. */
    void onClientDisconnect() {
        if (!over) {
            ledger.abandoned(id);
        }
        finish();
    }

    private void finish() {
        if (!over) {
            over = true;
            if (!path.startsWith("/ledger")) {
                ledger.recordEnd(key);
            }
        }
    }

    private String named(String parameter, String header) {
        String value = parameter(parameter, null);
        return value == null ? headers.get(header) : value;
    }
}
