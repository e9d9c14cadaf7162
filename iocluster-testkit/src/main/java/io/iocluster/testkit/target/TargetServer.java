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
import io.netty.util.concurrent.DefaultThreadFactory;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;

/**
 * An HTTP/1.1 server on a loopback address that answers as each request's URL asks; {@link Behaviours} lists how. A
 * {@code GET /ok} that carries nothing else of note takes a short way that costs next to nothing. Safe for several threads.
 */
public final class TargetServer implements AutoCloseable {

    static final String LOOPBACK = "127.0.0.1";

    private static final int LARGEST_BODY = 64 << 20;

    private final String host;
    private final RequestLog ledger;
    private final Behaviours behaviours;
    private final EventLoopGroup loops;
    private final Channel channel;

    private TargetServer(String host, int port, int threads, RequestLog ledger) {
        this.host = host;
        this.ledger = ledger;
        this.behaviours = new Behaviours(ledger);
        boolean epoll = Epoll.isAvailable();
        this.loops = new MultiThreadIoEventLoopGroup(
                threads,
                new DefaultThreadFactory("target", true),
                epoll ? EpollIoHandler.newFactory() : NioIoHandler.newFactory());
        this.channel = new ServerBootstrap()
                .group(loops)
                .channel(epoll ? EpollServerSocketChannel.class : NioServerSocketChannel.class)
                .option(ChannelOption.SO_BACKLOG, 16_384)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childHandler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel connection) {
                        connection
                                .pipeline()
                                .addLast(new OkFastPathHandler(ledger))
                                .addLast(new HttpServerCodec())
                                .addLast(new HttpObjectAggregator(LARGEST_BODY))
                                .addLast(new TargetConnectionHandler(behaviours, ledger));
                    }
                })
                .bind(new InetSocketAddress(host, port))
                .syncUninterruptibly()
                .channel();
    }

    /** A server on a free port that keeps a full ledger. */
    public static TargetServer start() {
        return start(0, 1, true);
    }

    /**
     * A server.
     *
     * @param port 0 for a free one
     * @param detailed whether the ledger keeps ids and keys, or totals only, for speed
     */
    public static TargetServer start(int port, int threads, boolean detailed) {
        return start(LOOPBACK, port, threads, detailed);
    }

    /** As {@link #start(int, int, boolean)}, on another loopback address, which callers take for another host. */
    public static TargetServer start(String host, int port, int threads, boolean detailed) {
        return new TargetServer(host, port, threads, new RequestLog(detailed));
    }

    public int port() {
        return ((InetSocketAddress) channel.localAddress()).getPort();
    }

    /** The URL of a path on this server; the path begins with a slash. */
    public String url(String path) {
        return "http://" + host + ":" + port() + path;
    }

    /** What this server saw. */
    public RequestLog requestLog() {
        return ledger;
    }

    /** Answers the requests for {@code /held} that wait, and from now on each at once. */
    public void releaseHeld() {
        behaviours.releaseHeld();
    }

    @Override
    public void close() {
        channel.close().syncUninterruptibly();
        loops.shutdownGracefully(0, 2, TimeUnit.SECONDS).syncUninterruptibly();
    }
}
