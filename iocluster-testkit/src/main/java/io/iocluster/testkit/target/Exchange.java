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

/** One request with the operations to answer it or to disconnect. Confined to the connection's event loop. */
final class Exchange {

    private final TargetConnectionHandler connection;
    private final ChannelHandlerContext ctx;
    private final RequestLog requestLog;
    private final String method;
    private final HttpHeaders headers;
    private final byte[] body;
    private final boolean keepAlive;
    private final String path;
    private final Map<String, List<String>> parameters;
    private final String id;
    private final String key;
    private boolean finished;

    Exchange(
            TargetConnectionHandler connection,
            ChannelHandlerContext ctx,
            FullHttpRequest request,
            RequestLog requestLog) {
        this.connection = connection;
        this.ctx = ctx;
        this.requestLog = requestLog;
        this.method = request.method().name();
        this.headers = request.headers();
        this.body = new byte[request.content().readableBytes()];
        request.content().getBytes(request.content().readerIndex(), body);
        this.keepAlive = HttpUtil.isKeepAlive(request);
        QueryStringDecoder url = new QueryStringDecoder(request.uri());
        this.path = url.path();
        this.parameters = url.parameters();
        this.id = parameterOrHeader("id", "x-id");
        this.key = parameterOrHeader("key", "x-key");
        if (!isControl()) {
            requestLog.recordStart(id, key, connection.isUsed());
        }
    }

    String method() {
        return method;
    }

    String path() {
        return path;
    }

    /** Returns whether the request reads the request log or changes the target; it is not counted, and no fault affects it. */
    boolean isControl() {
        return path.startsWith("/ledger") || path.startsWith("/fault");
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

    /** Returns the first value of a query parameter, or the default. */
    String parameter(String name, String defaultValue) {
        List<String> values = parameters.get(name);
        return values == null ? defaultValue : values.get(0);
    }

    /** Returns a query parameter as a number, or the default. */
    int intParameter(String name, int defaultValue) {
        String text = parameter(name, null);
        return text == null ? defaultValue : Integer.parseInt(text);
    }

    void schedule(int millis, Runnable step) {
        ctx.executor()
                .schedule(
                        () -> {
                            if (!finished) {
                                step.run();
                            }
                        },
                        millis,
                        TimeUnit.MILLISECONDS);
    }

    /**
     * Sends a complete response.
     *
     * @param furtherHeaders pairs of name and value
     */
    void respond(int status, String contentType, byte[] content, String... furtherHeaders) {
        ByteBuf buffer = Unpooled.wrappedBuffer(content);
        DefaultFullHttpResponse response =
                new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.valueOf(status), buffer);
        response.headers().set(HttpHeaderNames.CONTENT_TYPE, contentType);
        if (status >= 200 && status != 204 && status != 304) {
            response.headers().set(HttpHeaderNames.CONTENT_LENGTH, content.length);
        }
        for (int i = 0; i < furtherHeaders.length; i += 2) {
            response.headers().add(furtherHeaders[i], furtherHeaders[i + 1]);
        }
        finish();
        ctx.writeAndFlush(response).addListener(keepAlive ? future -> {} : ChannelFutureListener.CLOSE);
        connection.startNext(ctx);
    }

    /** Sends an informational response before the final one. */
    void respondInformational(int status) {
        ctx.writeAndFlush(new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.valueOf(status)));
    }

    /**
     * Starts a response; {@link #writeChunk} and {@link #endResponse} complete it.
     *
     * @param length of the body in bytes; negative for chunked encoding
     */
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

    /** Ends a response of {@link #startResponse}. */
    void endResponse() {
        finish();
        ctx.writeAndFlush(LastHttpContent.EMPTY_LAST_CONTENT)
                .addListener(keepAlive ? future -> {} : ChannelFutureListener.CLOSE);
        connection.startNext(ctx);
    }

    /** Writes bytes without the HTTP codec and closes the connection. */
    void writeRaw(byte[] bytes) {
        finish();
        ctx.pipeline()
                .firstContext()
                .writeAndFlush(Unpooled.wrappedBuffer(bytes))
                .addListener(ChannelFutureListener.CLOSE);
    }

    /** Closes the connection. */
    void close() {
        finish();
        ctx.close();
    }

    /** Resets the connection. */
    void reset() {
        finish();
        ctx.channel().config().setOption(ChannelOption.SO_LINGER, 0);
        ctx.close();
    }

    /** Called when the client has disconnected. */
    void onClientDisconnect() {
        if (!finished) {
            requestLog.recordAbandoned(id);
        }
        finish();
    }

    private void finish() {
        if (!finished) {
            finished = true;
            if (!isControl()) {
                requestLog.recordEnd(key);
            }
        }
    }

    private String parameterOrHeader(String parameter, String header) {
        String value = parameter(parameter, null);
        return value == null ? headers.get(header) : value;
    }
}
