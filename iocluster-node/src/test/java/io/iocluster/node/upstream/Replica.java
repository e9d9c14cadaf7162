package io.iocluster.node.upstream;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** An HTTP server that answers after 20 to 30 ms, and can become slower, hang or die. Thread-safe. */
final class Replica implements AutoCloseable {

    private static final int MIN_MICROS = 20_000;
    private static final int MAX_MICROS = 30_000;

    private final EventLoopGroup loops =
            new MultiThreadIoEventLoopGroup(1, new DefaultThreadFactory("replica", true), NioIoHandler.newFactory());
    private final AtomicLong requests = new AtomicLong();
    private final Channel channel;
    private volatile int slowness = 1;
    private volatile boolean hanging;

    Replica() {
        channel = new ServerBootstrap()
                .group(loops)
                .channel(NioServerSocketChannel.class)
                .childHandler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel connection) {
                        connection
                                .pipeline()
                                .addLast(new HttpServerCodec(), new HttpObjectAggregator(1 << 20), new Handler());
                    }
                })
                .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .syncUninterruptibly()
                .channel();
    }

    private final class Handler extends SimpleChannelInboundHandler<FullHttpRequest> {

        @Override
        protected void channelRead0(ChannelHandlerContext context, FullHttpRequest request) {
            requests.incrementAndGet();
            if (hanging) {
                return;
            }
            long micros = (long) slowness * ThreadLocalRandom.current().nextInt(MIN_MICROS, MAX_MICROS);
            context.executor().schedule(() -> respond(context), micros, TimeUnit.MICROSECONDS);
        }

        private void respond(ChannelHandlerContext context) {
            DefaultFullHttpResponse response =
                    new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK, Unpooled.EMPTY_BUFFER);
            response.headers().set(HttpHeaderNames.CONTENT_LENGTH, 0);
            context.writeAndFlush(response);
        }
    }

    /** Returns {@code host:port}. */
    String address() {
        return "127.0.0.1:" + ((InetSocketAddress) channel.localAddress()).getPort();
    }

    /** Returns the number of requests so far. */
    long requests() {
        return requests.get();
    }

    /** Answers this many times slower from now on. */
    void slowDown(int factor) {
        slowness = factor;
    }

    /** Answers no further request. */
    void hang() {
        hanging = true;
    }

    /** Refuses further connections and closes the open ones. */
    @Override
    public void close() {
        if (loops.isShuttingDown()) {
            return;
        }
        channel.close().syncUninterruptibly();
        loops.shutdownGracefully(0, 2, TimeUnit.SECONDS).syncUninterruptibly();
    }
}
