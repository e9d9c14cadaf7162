package io.iocluster.http.servers;

import static org.awaitility.Awaitility.await;

import io.iocluster.http.client.server.TestCertificateAuthority;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpServerExpectContinueHandler;
import io.netty.handler.codec.http2.DefaultHttp2GoAwayFrame;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2FrameCodec;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2MultiplexHandler;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.handler.codec.http2.Http2StreamFrameToHttpObjectCodec;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectedListenerFailureBehavior;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectorFailureBehavior;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.timeout.IdleStateEvent;
import io.netty.handler.timeout.IdleStateHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.net.BindException;
import java.net.InetAddress;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** The application behind gateways and proxies, and the server with the name {@code netty}. Logs ids in memory. */
final class EchoServer implements RunningServer {

    private static final int FEW_STREAMS = 4;
    private static final int IDLE_SECONDS = 1;
    /** Longer than any call. With TLS 1.3, a client may send its request before the server has ended the handshake. */
    private static final int HANDSHAKE_TIMEOUT_MILLIS = 60_000;

    private final EventLoopGroup loops =
            new MultiThreadIoEventLoopGroup(1, new DefaultThreadFactory("echo", true), NioIoHandler.newFactory());
    private final ChannelGroup connections = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE);
    private final Map<String, String> processed = new ConcurrentHashMap<>();
    private final Protocol protocol;
    private final Fault fault;
    private final SslContext tls;
    private final int port;
    private Channel listener;

    /** Starts the server on a free port. Its connections end as the fault says; the application behind a gateway has none. */
    EchoServer(Protocol protocol, Fault fault, TestCertificateAuthority authority, int port) throws Exception {
        this.protocol = protocol;
        this.fault = fault;
        this.port = port;
        tls = protocol.isTls() ? newTls(protocol, authority) : null;
        listen();
    }

    private static SslContext newTls(Protocol protocol, TestCertificateAuthority authority) throws Exception {
        SslContextBuilder builder = SslContextBuilder.forServer(
                        authority.target().toKeyManagerFactory())
                .protocols("TLSv" + protocol.tls());
        if (protocol.isHttp2()) {
            builder.applicationProtocolConfig(new ApplicationProtocolConfig(
                    ApplicationProtocolConfig.Protocol.ALPN,
                    SelectorFailureBehavior.NO_ADVERTISE,
                    SelectedListenerFailureBehavior.ACCEPT,
                    ApplicationProtocolNames.HTTP_2));
        }
        return builder.build();
    }

    /** Tries for a while, because the selector frees the port of a closed listener only later. */
    private void listen() {
        ServerBootstrap server = new ServerBootstrap()
                .group(loops)
                .channel(NioServerSocketChannel.class)
                .option(ChannelOption.SO_BACKLOG, 1_024)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childHandler(new Connections());
        await().ignoreException(BindException.class).until(() -> {
            listener =
                    server.bind(InetAddress.getLoopbackAddress(), port).sync().channel();
            return true;
        });
    }

    @Override
    public int port() {
        return port;
    }

    @Override
    public Map<String, String> processed() {
        return processed;
    }

    /** Lets the connections end as they do when the server stops, and listens again. */
    @Override
    public void reload() {
        listener.close().syncUninterruptibly();
        connections.forEach(connection -> connection.eventLoop().execute(() -> end(connection)));
        listen();
    }

    @Override
    public void kill() {
        listener.close().syncUninterruptibly();
        connections.forEach(connection -> {
            connection.config().setOption(ChannelOption.SO_LINGER, 0);
            // The HTTP/2 codec would send GOAWAY.
            connection.eventLoop().execute(() -> connection.unsafe().close(connection.newPromise()));
        });
        listen();
    }

    @Override
    public void close() {
        loops.shutdownGracefully(0, 2, TimeUnit.SECONDS).awaitUninterruptibly();
    }

    /** Ends a connection after the requests that have begun on it. */
    static void end(Channel connection) {
        EchoHandler http1 = connection.pipeline().get(EchoHandler.class);
        if (http1 != null) {
            http1.endConnection();
            return;
        }
        // Netty's server closes the connection with its open streams if the body of a request that it ignores arrives.
        // So this GOAWAY refuses nothing (RFC 9113, section 6.8). The client closes the connection after its last
        // stream.
        connection.writeAndFlush(new DefaultHttp2GoAwayFrame(Http2Error.NO_ERROR).setExtraStreamIds(Integer.MAX_VALUE));
    }

    /** Ends a connection that is idle for too long. */
    private static final class IdleHandler extends IdleStateHandler {

        IdleHandler() {
            super(0, 0, IDLE_SECONDS);
        }

        @Override
        protected void channelIdle(ChannelHandlerContext ctx, IdleStateEvent event) {
            // A slow TLS handshake is not idle.
            if (ctx.channel().hasAttr(EchoHandler.REQUESTS)) {
                end(ctx.channel());
            }
        }
    }

    @ChannelHandler.Sharable
    private final class Connections extends ChannelInitializer<Channel> {

        @Override
        protected void initChannel(Channel connection) {
            connections.add(connection);
            if (tls != null) {
                SslHandler handler = tls.newHandler(connection.alloc());
                handler.setHandshakeTimeoutMillis(HANDSHAKE_TIMEOUT_MILLIS);
                connection.pipeline().addLast(handler);
            }
            if (fault == Fault.SHORT_IDLE) {
                connection.pipeline().addLast(new IdleHandler());
            }
            if (protocol.isHttp2()) {
                Http2Settings settings = Http2Settings.defaultSettings().maxConcurrentStreams(1_000);
                if (fault == Fault.FEW_STREAMS) {
                    settings.maxConcurrentStreams(FEW_STREAMS);
                }
                Http2FrameCodec codec = Http2FrameCodecBuilder.forServer()
                        .initialSettings(settings)
                        // Netty would close the connection after 200 refused streams in 30 seconds.
                        .encoderEnforceMaxRstFramesPerWindow(0, 1)
                        .build();
                connection.pipeline().addLast(codec, new Http2MultiplexHandler(new Streams()));
            } else {
                connection
                        .pipeline()
                        .addLast(
                                new HttpServerCodec(),
                                new HttpServerExpectContinueHandler(),
                                new EchoHandler(fault, processed));
            }
        }
    }

    @ChannelHandler.Sharable
    private final class Streams extends ChannelInitializer<Channel> {

        @Override
        protected void initChannel(Channel stream) {
            stream.pipeline()
                    .addLast(new Http2StreamFrameToHttpObjectCodec(true, false), new EchoHandler(fault, processed));
        }
    }
}
