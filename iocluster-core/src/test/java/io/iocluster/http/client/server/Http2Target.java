package io.iocluster.http.client.server;

import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.handler.codec.http2.DefaultHttp2DataFrame;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersFrame;
import io.netty.handler.codec.http2.DefaultHttp2ResetFrame;
import io.netty.handler.codec.http2.Http2DataFrame;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2FrameCodec;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2HeadersFrame;
import io.netty.handler.codec.http2.Http2MultiplexHandler;
import io.netty.handler.codec.http2.Http2ResetFrame;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ApplicationProtocolConfig.Protocol;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectedListenerFailureBehavior;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectorFailureBehavior;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.pkitesting.X509Bundle;
import io.netty.util.ReferenceCountUtil;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** HTTP/2 target over TLS. The path selects the response. */
public final class Http2Target implements AutoCloseable {

    public static final ApplicationProtocolConfig ALPN = new ApplicationProtocolConfig(
            Protocol.ALPN,
            SelectorFailureBehavior.NO_ADVERTISE,
            SelectedListenerFailureBehavior.ACCEPT,
            ApplicationProtocolNames.HTTP_2,
            ApplicationProtocolNames.HTTP_1_1);

    /** One context for each identity, because creating a context takes longer than a call. */
    private static final Map<X509Bundle, SslContext> CONTEXTS = new ConcurrentHashMap<>();

    private final Map<String, EncodedBody> encoded = new ConcurrentHashMap<>();
    private final Map<String, Http2Headers> heads = new ConcurrentHashMap<>();
    private final Map<String, byte[]> floods = new ConcurrentHashMap<>();
    private final Map<String, byte[]> frames = new ConcurrentHashMap<>();
    private final Map<String, byte[]> framesAfterReset = new ConcurrentHashMap<>();
    private final TargetListener listener;
    private volatile byte[] acknowledgement = {};

    /** A body and its {@code Content-Encoding}. */
    private record EncodedBody(String encoding, byte[] body) {}

    public Http2Target(X509Bundle identity) throws Exception {
        SslContext tls = context(identity);
        listener = new TargetListener(connection -> connection
                .pipeline()
                .addLast(
                        tls.newHandler(connection.alloc()),
                        Http2FrameCodecBuilder.forServer().build(),
                        new Http2MultiplexHandler(new ChannelInitializer<>() {
                            @Override
                            protected void initChannel(Channel stream) {
                                stream.pipeline().addLast(new StreamHandler());
                            }
                        })));
    }

    private static SslContext context(X509Bundle identity) throws Exception {
        SslContext known = CONTEXTS.get(identity);
        if (known == null) {
            known = SslContextBuilder.forServer(identity.toKeyManagerFactory())
                    .applicationProtocolConfig(ALPN)
                    .build();
            CONTEXTS.put(identity, known);
        }
        return known;
    }

    public int port() {
        return listener.port();
    }

    /** Sets the body and the {@code Content-Encoding} of the response for a path. */
    public void respondWith(String path, String encoding, byte[] body) {
        encoded.put(path, new EncodedBody(encoding, body));
    }

    /** Sets the pseudo headers and headers of the response for a path, which are sent as they are, with the body {@code ok}. */
    public void respondWithHeaders(String path, Http2Headers response) {
        heads.put(path, response);
    }

    /** Sends these frames again and again, in place of a response for a path, until the connection is closed. */
    public void floodWith(String path, byte[] frames) {
        floods.put(path, frames);
    }

    /** Sends these frames once, in place of a response for a path. */
    public void respondWithFrames(String path, byte[] response) {
        frames.put(path, response);
    }

    /** Sends these frames once, when the client resets the stream of a request for a path, which gets no response. */
    public void respondAfterReset(String path, byte[] response) {
        framesAfterReset.put(path, response);
    }

    /** Sends these frames for each part of a request's body whose path is {@code /acknowledged}. */
    public void acknowledgeWith(byte[] frames) {
        acknowledgement = frames;
    }

    public int connections() {
        return listener.acceptedConnections();
    }

    public int openConnections() {
        return listener.openConnections();
    }

    @Override
    public void close() {
        listener.close();
    }

    /** Responds on one stream when the request is complete. Confined to the target's event loop. */
    private final class StreamHandler extends ChannelInboundHandlerAdapter {

        private final StringBuilder body = new StringBuilder();
        private Http2Headers headers;

        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            boolean complete = false;
            if (message instanceof Http2HeadersFrame frame) {
                headers = frame.headers();
                complete = frame.isEndStream();
            } else if (message instanceof Http2DataFrame frame) {
                body.append(frame.content().toString(StandardCharsets.ISO_8859_1));
                if (headers.path().toString().equals("/acknowledged")) {
                    send(ctx, acknowledgement);
                }
                complete = frame.isEndStream();
            }
            ReferenceCountUtil.release(message);
            if (complete) {
                respond(ctx, headers.path().toString());
            }
        }

        @Override
        public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
            byte[] response = event instanceof Http2ResetFrame
                    ? framesAfterReset.get(headers.path().toString())
                    : null;
            ReferenceCountUtil.release(event);
            if (response != null) {
                send(ctx, response);
            }
        }

        private void respond(ChannelHandlerContext ctx, String path) {
            if (framesAfterReset.containsKey(path)) {
                return;
            }
            EncodedBody response = encoded.get(path);
            if (response != null) {
                ctx.write(new DefaultHttp2HeadersFrame(
                        new DefaultHttp2Headers().status("200").add("content-encoding", response.encoding()), false));
                ctx.writeAndFlush(new DefaultHttp2DataFrame(Unpooled.wrappedBuffer(response.body()), true));
                return;
            }
            Http2Headers head = heads.get(path);
            if (head != null) {
                ctx.write(new DefaultHttp2HeadersFrame(head, false));
                ctx.writeAndFlush(
                        new DefaultHttp2DataFrame(Unpooled.copiedBuffer("ok", StandardCharsets.ISO_8859_1), true));
                return;
            }
            byte[] flood = floods.get(path);
            if (flood != null) {
                flood(codec(ctx), flood);
                return;
            }
            byte[] once = frames.get(path);
            if (once != null) {
                send(ctx, once);
                return;
            }
            switch (path) {
                case "/never" -> {}
                case "/headers" -> echoHeaders(ctx);
                case "/reset" -> ctx.writeAndFlush(new DefaultHttp2ResetFrame(Http2Error.INTERNAL_ERROR));
                case "/interim" -> {
                    sendHeaders(ctx, "103");
                    echo(ctx);
                }
                case "/endless" -> {
                    sendHeaders(ctx, "200");
                    sendEndlessly(ctx);
                }
                default -> echo(ctx);
            }
        }

        /** Writes before the codec, which would refuse to send such frames. */
        private void send(ChannelHandlerContext ctx, byte[] frames) {
            codec(ctx).writeAndFlush(Unpooled.wrappedBuffer(frames));
        }

        private ChannelHandlerContext codec(ChannelHandlerContext ctx) {
            return ctx.channel().parent().pipeline().context(Http2FrameCodec.class);
        }

        /** Writes like {@link #send}, until the connection is closed. */
        private void flood(ChannelHandlerContext codec, byte[] frames) {
            codec.writeAndFlush(Unpooled.wrappedBuffer(frames)).addListener(written -> {
                if (written.isSuccess()) {
                    codec.executor().execute(() -> flood(codec, frames));
                }
            });
        }

        private void echo(ChannelHandlerContext ctx) {
            sendHeaders(ctx, "200");
            String text = headers.method() + " " + headers.authority() + " " + headers.get("x-tag") + " " + body;
            ctx.writeAndFlush(
                    new DefaultHttp2DataFrame(Unpooled.copiedBuffer(text, StandardCharsets.ISO_8859_1), true));
        }

        /** Responds with one line for each request header, pseudo headers included, and the size of the body. */
        private void echoHeaders(ChannelHandlerContext ctx) {
            sendHeaders(ctx, "200");
            StringBuilder text = new StringBuilder();
            headers.forEach(header -> text.append(header.getKey())
                    .append(": ")
                    .append(header.getValue())
                    .append('\n'));
            text.append(body.length());
            ctx.writeAndFlush(
                    new DefaultHttp2DataFrame(Unpooled.copiedBuffer(text, StandardCharsets.ISO_8859_1), true));
        }

        private void sendHeaders(ChannelHandlerContext ctx, String status) {
            ctx.writeAndFlush(new DefaultHttp2HeadersFrame(
                    new DefaultHttp2Headers().status(status).add("x-server", "h2"), false));
        }

        /** Fills the client's window before the event loop can read a reset. */
        private void sendEndlessly(ChannelHandlerContext ctx) {
            ctx.writeAndFlush(new DefaultHttp2DataFrame(Unpooled.wrappedBuffer(new byte[8_192]), false))
                    .addListener(written -> {
                        if (written.isSuccess()) {
                            sendEndlessly(ctx);
                        }
                    });
        }
    }
}
