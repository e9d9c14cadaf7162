package io.iocluster.node.warmup;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.NetUtil;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;

/** An HTTP server on a free port of the loopback address that gives every request the same small response. Thread-safe. */
final class WarmUpTarget implements AutoCloseable {

    /** The size of a usual JSON response. */
    private static final int BODY_BYTES = 512;

    /** Requests on one connection, so that the calls open connections too, and not only reuse them. */
    private static final int REQUESTS_PER_CONNECTION = 50;

    private static final int SHUTDOWN_SECONDS = 1;

    private final EventLoopGroup loop;
    private final InetSocketAddress address;

    /** Starts the server. */
    WarmUpTarget() {
        boolean epoll = Epoll.isAvailable();
        loop = new MultiThreadIoEventLoopGroup(
                1,
                new DefaultThreadFactory("iocluster-warm-up-target", true),
                epoll ? EpollIoHandler.newFactory() : NioIoHandler.newFactory());
        ByteBuf body = Unpooled.unreleasableBuffer(
                Unpooled.copiedBuffer("{\"text\": \"" + "x".repeat(BODY_BYTES) + "\"}", StandardCharsets.US_ASCII)
                        .asReadOnly());
        try {
            Channel server = new ServerBootstrap()
                    .group(loop)
                    .channel(epoll ? EpollServerSocketChannel.class : NioServerSocketChannel.class)
                    .childOption(ChannelOption.TCP_NODELAY, true)
                    .childHandler(new ChannelInitializer<>() {
                        @Override
                        protected void initChannel(Channel connection) {
                            connection.pipeline().addLast(new HttpServerCodec()).addLast(new Responder(body));
                        }
                    })
                    .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                    .syncUninterruptibly()
                    .channel();
            address = (InetSocketAddress) server.localAddress();
        } catch (Throwable noServer) {
            close();
            throw noServer;
        }
    }

    /** Returns the loopback address in the form that an egress policy expects. */
    String host() {
        return address.getAddress().getHostAddress();
    }

    int port() {
        return address.getPort();
    }

    /** Returns the URL of the server, without a path. */
    String url() {
        return "http://" + NetUtil.toSocketAddressString(address);
    }

    /** Closes the port and all connections without waiting. */
    @Override
    public void close() {
        loop.shutdownGracefully(0, SHUTDOWN_SECONDS, TimeUnit.SECONDS);
    }

    /** Confined to the event loop of its connection. */
    private static final class Responder extends SimpleChannelInboundHandler<HttpObject> {

        private final ByteBuf body;
        private int requests;

        Responder(ByteBuf body) {
            this.body = body;
        }

        @Override
        protected void channelRead0(ChannelHandlerContext connection, HttpObject part) {
            if (!(part instanceof LastHttpContent)) {
                return;
            }
            FullHttpResponse response =
                    new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK, body.duplicate());
            response.headers()
                    .set(HttpHeaderNames.CONTENT_TYPE, HttpHeaderValues.APPLICATION_JSON)
                    .set(HttpHeaderNames.CACHE_CONTROL, HttpHeaderValues.NO_STORE)
                    .setInt(HttpHeaderNames.CONTENT_LENGTH, body.readableBytes());
            if (++requests < REQUESTS_PER_CONNECTION) {
                connection.writeAndFlush(response);
            } else {
                response.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
                connection.writeAndFlush(response).addListener(ChannelFutureListener.CLOSE);
            }
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext connection, Throwable reset) {
            connection.close();
        }
    }
}
