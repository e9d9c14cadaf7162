package io.iocluster.http.connect;

import io.iocluster.http.ProxySettings;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.handler.proxy.HttpProxyHandler;
import io.netty.handler.proxy.ProxyHandler;
import io.netty.handler.proxy.Socks5ProxyHandler;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;

/**
 * Adds Netty's proxy handler to the pipeline when the channel connects. The handler needs the address of the proxy, which is known only then,
 * because a proxy may have several.
 */
final class ProxyConnector extends ChannelOutboundHandlerAdapter {

    private final ProxySettings proxy;
    private final InetSocketAddress destination;
    private final Duration timeout;

    /**
     * Creates a connector.
     *
     * @param destination where the tunnel leads: resolved for SOCKS, unresolved for HTTP
     * @param timeout longest wait for the proxy to open the tunnel, after it accepted the connection
     */
    ProxyConnector(ProxySettings proxy, InetSocketAddress destination, Duration timeout) {
        this.proxy = proxy;
        this.destination = destination;
        this.timeout = timeout;
    }

    @Override
    public void connect(ChannelHandlerContext ctx, SocketAddress remote, SocketAddress local, ChannelPromise promise) {
        ProxyHandler tunnel = newHandler(remote);
        tunnel.setConnectTimeoutMillis(timeout.toMillis());
        ctx.pipeline().addBefore(ctx.name(), null, tunnel);
        ctx.connect(destination, local, promise);
        ctx.pipeline().remove(this);
    }

    private ProxyHandler newHandler(SocketAddress remote) {
        boolean login = !proxy.username().isEmpty();
        return switch (proxy.type()) {
            case HTTP ->
                login ? new HttpProxyHandler(remote, proxy.username(), proxy.password()) : new HttpProxyHandler(remote);
            case SOCKS5 ->
                login
                        ? new Socks5ProxyHandler(remote, proxy.username(), proxy.password())
                        : new Socks5ProxyHandler(remote);
            case NONE -> throw new IllegalStateException("no proxy");
        };
    }
}
