package io.iocluster.testkit.target;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2MultiplexHandler;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.handler.codec.http2.Http2StreamFrameToHttpObjectCodec;
import io.netty.handler.ssl.SslContext;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * An HTTP/1.1 server on a loopback address whose response depends on the request's URL; see {@link Behaviours}. A plain
 * {@code GET /ok} takes a fast path. May speak HTTP/2 on a second port. Thread-safe.
 */
public final class TargetServer implements AutoCloseable {

    static final String LOOPBACK = "127.0.0.1";

    private static final int MAX_BODY_BYTES = 64 << 20;

    /** Netty's default of 100 would make calls wait for a stream when a scenario measures something else. */
    private static final long MAX_STREAMS = 10_000;

    private final String host;
    private final RequestLog requestLog;
    private final Behaviours behaviours;
    private final EventLoopGroup loops;
    private final ServerBootstrap bootstrap;
    private final Channel channel;

    private TargetServer(String host, int port, int threads, RequestLog requestLog) {
        this.host = host;
        this.requestLog = requestLog;
        this.behaviours = new Behaviours(requestLog);
        boolean epoll = Epoll.isAvailable();
        this.loops = new MultiThreadIoEventLoopGroup(
                threads,
                new DefaultThreadFactory("target", true),
                epoll ? EpollIoHandler.newFactory() : NioIoHandler.newFactory());
        this.bootstrap = new ServerBootstrap()
                .group(loops)
                .channel(epoll ? EpollServerSocketChannel.class : NioServerSocketChannel.class)
                .option(ChannelOption.SO_BACKLOG, 16_384)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childHandler(initializer(connection -> connection
                        .pipeline()
                        .addLast(new OkFastPathHandler(requestLog, behaviours))
                        .addLast(new HttpServerCodec())
                        .addLast(new HttpObjectAggregator(MAX_BODY_BYTES))
                        .addLast(new TargetConnectionHandler(behaviours, requestLog))));
        this.channel = listen(bootstrap, host, port);
    }

    private static ChannelInitializer<Channel> initializer(Consumer<Channel> addHandlers) {
        return new ChannelInitializer<>() {
            @Override
            protected void initChannel(Channel channel) {
                addHandlers.accept(channel);
            }
        };
    }

    private static Channel listen(ServerBootstrap bootstrap, String address, int port) {
        return bootstrap
                .bind(new InetSocketAddress(address, port))
                .syncUninterruptibly()
                .channel();
    }

    /** Starts a server on a free port with a detailed request log. */
    public static TargetServer start() {
        return start(0, 1, true);
    }

    /**
     * Starts a server.
     *
     * @param port 0 for a free one
     * @param detailed whether the request log records ids and keys; totals only are faster
     */
    public static TargetServer start(int port, int threads, boolean detailed) {
        return start(LOOPBACK, port, threads, detailed);
    }

    /**
     * Starts a server like {@link #start(int, int, boolean)}, on another loopback address, which serves as another
     * host.
     */
    public static TargetServer start(String host, int port, int threads, boolean detailed) {
        return new TargetServer(host, port, threads, new RequestLog(detailed));
    }

    /** Listens on a further loopback address too, with the same port, to serve as one more host. */
    public void listenOn(String address) {
        listen(bootstrap, address, port());
    }

    /**
     * Listens on a further port too, for HTTP/2 over TLS, with the same behaviours.
     *
     * @return the port
     */
    public int listenHttp2(TargetKeyStore keys) {
        SslContext tls = keys.http2Context();
        ChannelInitializer<Channel> streams = initializer(stream -> stream.pipeline()
                .addLast(new Http2StreamFrameToHttpObjectCodec(true))
                .addLast(new HttpObjectAggregator(MAX_BODY_BYTES))
                .addLast(new TargetConnectionHandler(behaviours, requestLog)));
        ServerBootstrap secure = bootstrap
                .clone()
                .childHandler(initializer(connection -> connection
                        .pipeline()
                        .addLast(tls.newHandler(connection.alloc()))
                        .addLast(Http2FrameCodecBuilder.forServer()
                                .initialSettings(Http2Settings.defaultSettings().maxConcurrentStreams(MAX_STREAMS))
                                .build())
                        .addLast(new Http2MultiplexHandler(streams))));
        return port(listen(secure, host, 0));
    }

    public int port() {
        return port(channel);
    }

    private static int port(Channel listening) {
        return ((InetSocketAddress) listening.localAddress()).getPort();
    }

    /** Returns the URL of a path; the path starts with a slash. */
    public String url(String path) {
        return "http://" + host + ":" + port() + path;
    }

    /** Returns the log of received requests. */
    public RequestLog requestLog() {
        return requestLog;
    }

    /** Answers all held requests for {@code /held}, and further ones at once. */
    public void releaseHeld() {
        behaviours.releaseHeld();
    }

    /** Sets the fault of the whole target, which replaces an earlier one. */
    public void setFault(TargetFault fault) {
        behaviours.setFault("", fault, 0);
    }

    /** Ends the fault of the whole target, if there is one. */
    public void clearFault() {
        behaviours.clearFaults();
    }

    @Override
    public void close() {
        channel.close().syncUninterruptibly();
        loops.shutdownGracefully(0, 2, TimeUnit.SECONDS).syncUninterruptibly();
    }
}
