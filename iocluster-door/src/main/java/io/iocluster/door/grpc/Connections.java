package io.iocluster.door.grpc;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.net.SocketAddress;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** The open connections of a server. Closes new ones while the maximum number is open. A handler of the listening channel. Thread-safe. */
@Sharable
final class Connections extends ChannelInboundHandlerAdapter {

    private final int limit;
    private final AtomicInteger count = new AtomicInteger();
    private final Map<SocketAddress, Channel> open = new ConcurrentHashMap<>();

    Connections(int limit) {
        this.limit = limit;
    }

    /** Returns the listening channel with this handler. */
    <C extends Channel> C attachTo(C listening) {
        listening.pipeline().addFirst(this);
        return listening;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        Channel connection = (Channel) message;
        if (count.incrementAndGet() > limit) {
            count.decrementAndGet();
            // The connection has no event loop yet.
            connection.unsafe().closeForcibly();
            return;
        }
        SocketAddress client = connection.remoteAddress();
        if (client != null) {
            open.put(client, connection);
        }
        connection.closeFuture().addListener(closed -> {
            count.decrementAndGet();
            if (client != null) {
                open.remove(client, connection);
            }
        });
        context.fireChannelRead(message);
    }

    /** Closes the connection of this client, which does not read what it has asked for. Does nothing if it is closed. */
    void disconnect(SocketAddress client) {
        Channel connection = open.get(client);
        if (connection != null) {
            connection.close();
        }
    }
}
