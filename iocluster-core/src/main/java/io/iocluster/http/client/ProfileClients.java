package io.iocluster.http.client;

import io.iocluster.http.HttpProfile;
import io.iocluster.http.HttpSettings;
import io.iocluster.http.ProxySettings;
import io.iocluster.http.client.RouteTable.PoolKey;
import io.iocluster.http.client.http2.Http2Guard;
import io.iocluster.http.client.pool.IdleConnections;
import io.iocluster.http.dns.ConnectThrottle;
import io.iocluster.http.dns.ProxyAwareResolverGroup;
import io.iocluster.http.dns.ThrottledResolverGroup;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.handler.ssl.SslContext;
import io.netty.resolver.AddressResolverGroup;
import io.netty.util.Timer;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import javax.net.ssl.SSLException;
import org.asynchttpclient.AsyncHttpClientConfig;
import org.asynchttpclient.AsyncHttpClientConfig.ResponseBodyPartFactory;
import org.asynchttpclient.DefaultAsyncHttpClient;
import org.asynchttpclient.DefaultAsyncHttpClientConfig;
import org.asynchttpclient.Realm;
import org.asynchttpclient.netty.channel.ChannelManager;
import org.asynchttpclient.proxy.ProxyServer;
import org.asynchttpclient.proxy.ProxyType;

/**
 * Creates one async-http-client for each connection profile in use, so at most as many as the configuration has
 * different profiles. Confined to one event loop.
 *
 * <p>Features of the client that make further attempts or change the request are disabled: redirects, retries, cookies,
 * proxies from the environment, and compression that the call did not ask for.
 */
final class ProfileClients {

    private static final Duration NO_TIMEOUT = Duration.ofMillis(-1);
    private static final Duration HTTP2_PING_INTERVAL = Duration.ofSeconds(10);
    private static final String ACCEPT_ENCODING = "gzip, deflate";

    /**
     * Flow-control window of an HTTP/2 stream in bytes; that of a connection is twice as large. A target that reads a reset late sends up
     * to this window in vain. The client's default of 16 MiB can exceed the limit of frames for calls that have ended.
     */
    private static final int HTTP2_WINDOW = 4 * 1024 * 1024;

    /**
     * Maximum reads, of up to 64 KiB each, from one connection before the event loop serves the others. With Netty's default of 16, a
     * hundred large bodies delay each small answer by 100 MiB of reads. A small answer takes one read.
     */
    static final int MAX_READS_IN_A_ROW = 2;

    private final Map<HttpProfile, ProfileClient> clients = new HashMap<>();
    private final EventLoopGroup eventLoop;
    private final Timer timer;
    private final HttpSettings settings;
    private final AddressResolverGroup<InetSocketAddress> checkedResolvers;
    private final AddressResolverGroup<InetSocketAddress> resolvers;
    private final ConnectThrottle throttle;
    private final SslContext trust;
    private final ConnectionCounter connections;
    private final IdleConnections idleConnections;
    private final Http2Guard http2Guard = new Http2Guard(System::nanoTime);

    /**
     * Creates the table without a client yet.
     *
     * @param checkedResolvers resolves targets and checks their addresses; closed with the clients
     * @param resolvers resolves proxies; closed with {@code checkedResolvers}
     * @param throttle limits concurrent connects
     * @param trust the context for profiles without TLS settings; null for the JDK's default
     */
    ProfileClients(
            EventLoopGroup eventLoop,
            Timer timer,
            HttpSettings settings,
            AddressResolverGroup<InetSocketAddress> checkedResolvers,
            AddressResolverGroup<InetSocketAddress> resolvers,
            ConnectThrottle throttle,
            SslContext trust,
            ConnectionCounter connections,
            IdleConnections idleConnections) {
        this.eventLoop = eventLoop;
        this.timer = timer;
        this.settings = settings;
        this.checkedResolvers = checkedResolvers;
        this.resolvers = resolvers;
        this.throttle = throttle;
        this.trust = trust;
        this.connections = connections;
        this.idleConnections = idleConnections;
    }

    /**
     * Returns the client for a profile, and creates it on first use.
     *
     * @throws SSLException if the TLS files of the profile are not usable any more
     */
    ProfileClient clientFor(HttpProfile profile) throws SSLException {
        ProfileClient known = clients.get(profile);
        if (known != null) {
            return known;
        }
        ProfileClient created = new ProfileClient(
                new DefaultAsyncHttpClient(config(profile)),
                profile.compression() ? ACCEPT_ENCODING : null,
                profile.proxy().isEnabled());
        clients.put(profile, created);
        return created;
    }

    private AsyncHttpClientConfig config(HttpProfile profile) throws SSLException {
        int perDestination = settings.connectionsPerDestination();
        int maxHeaders = Math.toIntExact(settings.maxResponseHeaders().bytes());
        ProxySettings proxy = profile.proxy();
        DefaultAsyncHttpClientConfig.Builder config = new DefaultAsyncHttpClientConfig.Builder()
                .setEventLoopGroup(eventLoop)
                .setNettyTimer(timer)
                .setAddressResolverGroup(new ThrottledResolverGroup(
                        throttle,
                        proxy.isEnabled()
                                ? new ProxyAwareResolverGroup(proxy, checkedResolvers, resolvers)
                                : checkedResolvers,
                        settings.dns().maxAddresses()))
                .setSslContext(profile.tls().isEmpty() ? trust : profile.tls().newSslContext(profile.http2()))
                .setHttpAdditionalChannelInitializer(connection -> guard(connection, proxy.isEnabled()))
                // One attempt with exactly the given request.
                .setFollowRedirect(false)
                .setMaxRequestRetry(0)
                .setCookieStore(null)
                .setUseProxySelector(false)
                .setUseProxyProperties(false)
                .setCompressionEnforced(false)
                .setUserAgent("IOCluster")
                // HttpAttempt has the only timer. 0 would mean the client's default here.
                .setRequestTimeout(NO_TIMEOUT)
                .setReadTimeout(NO_TIMEOUT)
                .setConnectTimeout(profile.connectTimeout())
                // Fail at once at the limit, because waiting for a free connection would block the loop.
                .setAcquireFreeChannelTimeout(0)
                .setMaxConnectionsPerHost(perDestination == 0 ? -1 : perDestination)
                .setKeepAlive(!settings.idleTimeout().isZero())
                .setChannelPool(idleConnections.newPool())
                // BodyDecompressor decompresses, because the client accepts any coding that the target names, and
                // allocates as much as the compressed data declares.
                .setEnableAutomaticDecompression(false)
                .setResponseBodyPartFactory(ResponseBodyPartFactory.LAZY)
                .setHttpClientCodecMaxHeaderSize(maxHeaders)
                .setHttp2MaxHeaderListSize(maxHeaders)
                .setHttp2Enabled(profile.http2())
                .setHttp2InitialWindowSize(HTTP2_WINDOW)
                .setHttp2CleartextEnabled(false)
                .setHttp2PingInterval(HTTP2_PING_INTERVAL)
                .setAllocator(PooledByteBufAllocator.DEFAULT)
                .addChannelOption(
                        ChannelOption.RECVBUF_ALLOCATOR,
                        new AdaptiveRecvByteBufAllocator().maxMessagesPerRead(MAX_READS_IN_A_ROW));
        return (proxy.isEnabled() ? config.setProxyServer(proxyServer(proxy)) : config).build();
    }

    private static ProxyServer proxyServer(ProxySettings proxy) {
        Realm realm = proxy.username().isEmpty()
                ? null
                : new Realm.Builder(proxy.username(), proxy.password())
                        .setScheme(Realm.AuthScheme.BASIC)
                        .setUsePreemptiveAuth(true)
                        .build();
        ProxyType type = switch (proxy.type()) {
            case HTTP -> ProxyType.HTTP;
            case SOCKS5 -> ProxyType.SOCKS_V5;
            case NONE -> throw new IllegalStateException("a profile without a proxy has no proxy server");
        };
        return new ProxyServer(proxy.host(), proxy.port(), proxy.port(), realm, List.of(), type);
    }

    private void guard(Channel connection, boolean proxied) {
        ConnectionGuard.addTo(connection.pipeline(), connections, idleConnections, http2Guard);
        if (proxied) {
            // The client inserts the TLS handler of a tunnel before its decompressor, so a handler with that name must
            // exist.
            connection
                    .pipeline()
                    .addBefore(
                            ChannelManager.CHUNKED_WRITER_HANDLER,
                            ChannelManager.INFLATER_HANDLER,
                            new ChannelInboundHandlerAdapter());
        } else {
            // This handler streams bodies. The body of a call is one array, which the client writes with its request.
            connection.pipeline().remove(ChannelManager.CHUNKED_WRITER_HANDLER);
        }
    }

    /** Closes the idle connections whose pool key matches. */
    void closeIdle(Predicate<PoolKey> which) {
        for (ProfileClient client : clients.values()) {
            client.httpClient().flushChannelPoolPartitions(key -> which.test((PoolKey) key));
        }
    }

    void close() {
        clients.values().forEach(client -> client.httpClient().close());
        checkedResolvers.close();
    }
}
