package io.iocluster.http.client.server;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** Listens on a loopback port, counts connections, and serves them all on one event loop. Thread-safe. */
public final class TargetListener implements AutoCloseable {

    private final EventLoopGroup loop = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    private final AtomicInteger accepted = new AtomicInteger();
    private final AtomicInteger open = new AtomicInteger();
    private final Channel listener;

    /** @param protocol adds handlers to each new connection, on the event loop */
    public TargetListener(Consumer<Channel> protocol) throws InterruptedException {
        listener = new ServerBootstrap()
                .group(loop)
                .channel(NioServerSocketChannel.class)
                .childHandler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel connection) {
                        accepted.incrementAndGet();
                        open.incrementAndGet();
                        connection.closeFuture().addListener(closed -> open.decrementAndGet());
                        protocol.accept(connection);
                    }
                })
                .bind("127.0.0.1", 0)
                .sync()
                .channel();
    }

    public int port() {
        return ((InetSocketAddress) listener.localAddress()).getPort();
    }

    /** Returns the number of connections since the start. */
    public int acceptedConnections() {
        return accepted.get();
    }

    public int openConnections() {
        return open.get();
    }

    /** Closes all connections too. */
    @Override
    public void close() {
        loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
    }
}
