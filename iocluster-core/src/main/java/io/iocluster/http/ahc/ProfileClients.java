package io.iocluster.http.ahc;

import io.iocluster.http.HttpProfile;
import io.iocluster.http.HttpSettings;
import io.iocluster.http.ProxySettings;
import io.iocluster.http.ahc.RouteTable.PoolKey;
import io.iocluster.http.dns.ConnectThrottle;
import io.iocluster.http.dns.ProxyAwareResolverGroup;
import io.iocluster.http.dns.ThrottledResolverGroup;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInboundHandlerAdapter;
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
 * One async-http-client for each profile that is in use, all on one event loop, to which this is confined; there are as many
 * as the configuration has different profiles.
 *
 * <p>The client's own ways of doing more than one attempt, or another one than was asked for, are all off: redirects,
 * retries, cookies, proxies of the environment, compression unasked for.
 */
final class ProfileClients {

    private static final Duration NONE = Duration.ofMillis(-1);
    private static final Duration CONNECTION_LIFETIME = Duration.ofMinutes(5);
    private static final Duration HTTP2_PING_INTERVAL = Duration.ofSeconds(10);
    private static final String ACCEPT_ENCODING = "gzip, deflate";

    private final Map<HttpProfile, ProfileClient> routes = new HashMap<>();
    private final EventLoopGroup eventLoop;
    private final Timer timer;
    private final HttpSettings settings;
    private final AddressResolverGroup<InetSocketAddress> gate;
    private final AddressResolverGroup<InetSocketAddress> names;
    private final ConnectThrottle turns;
    private final SslContext trust;
    private final ConnectionCounter connections;

    /**
     * Makes none yet.
     *
     * @param gate what connections to targets pass; closed with the clients
     * @param names finds proxies; closed with the gate
     * @param turns taken before a connection is opened
     * @param trust for profiles that say nothing of TLS; null for the JDK's own
     */
    ProfileClients(
            EventLoopGroup eventLoop,
            Timer timer,
            HttpSettings settings,
            AddressResolverGroup<InetSocketAddress> gate,
            AddressResolverGroup<InetSocketAddress> names,
            ConnectThrottle turns,
            SslContext trust,
            ConnectionCounter connections) {
        this.eventLoop = eventLoop;
        this.timer = timer;
        this.settings = settings;
        this.gate = gate;
        this.names = names;
        this.turns = turns;
        this.trust = trust;
        this.connections = connections;
    }

    /**
     * The way for calls with this profile.
     *
     * @throws SSLException if its files cannot be used any more
     */
    ProfileClient clientFor(HttpProfile profile) throws SSLException {
        ProfileClient known = routes.get(profile);
        if (known != null) {
            return known;
        }
        ProfileClient made = new ProfileClient(
                new DefaultAsyncHttpClient(config(profile)),
                profile.compression() ? ACCEPT_ENCODING : null,
                profile.proxy().isEnabled());
        routes.put(profile, made);
        return made;
    }

    private AsyncHttpClientConfig config(HttpProfile profile) throws SSLException {
        int perDestination = settings.connectionsPerDestination();
        int maxHeaders = Math.toIntExact(settings.maxResponseHeaders().bytes());
        ProxySettings proxy = profile.proxy();
        DefaultAsyncHttpClientConfig.Builder config = new DefaultAsyncHttpClientConfig.Builder()
                .setEventLoopGroup(eventLoop)
                .setNettyTimer(timer)
                .setAddressResolverGroup(new ThrottledResolverGroup(
                        turns,
                        proxy.isEnabled() ? new ProxyAwareResolverGroup(proxy, gate, names) : gate,
                        settings.dns().maxAddresses()))
                .setSslContext(profile.tls().isEmpty() ? trust : profile.tls().newSslContext(profile.http2()))
                .setHttpAdditionalChannelInitializer(connection -> guard(connection, proxy.isEnabled()))
                // One attempt, and the one that was asked for.
                .setFollowRedirect(false)
                .setMaxRequestRetry(0)
                .setCookieStore(null)
                .setUseProxySelector(false)
                .setUseProxyProperties(false)
                .setCompressionEnforced(false)
                .setUserAgent("IOCluster")
                // Attempt has the one timer. Here 0 would mean the client's default.
                .setRequestTimeout(NONE)
                .setReadTimeout(NONE)
                .setConnectTimeout(profile.connectTimeout())
                // A limit fails at once: waiting for a free connection would block the loop.
                .setAcquireFreeChannelTimeout(0)
                .setMaxConnectionsPerHost(perDestination == 0 ? -1 : perDestination)
                .setKeepAlive(!settings.idleTimeout().isZero())
                .setPooledConnectionIdleTimeout(settings.idleTimeout())
                .setConnectionTtl(CONNECTION_LIFETIME)
                // Attempt decompresses: the client would accept whatever coding the target names, and allocate what its
                // head declares.
                .setEnableAutomaticDecompression(false)
                .setResponseBodyPartFactory(ResponseBodyPartFactory.LAZY)
                .setHttpClientCodecMaxHeaderSize(maxHeaders)
                .setHttp2MaxHeaderListSize(maxHeaders)
                .setHttp2Enabled(profile.http2())
                .setHttp2CleartextEnabled(false)
                .setHttp2PingInterval(HTTP2_PING_INTERVAL)
                .setAllocator(PooledByteBufAllocator.DEFAULT);
        return (proxy.isEnabled() ? config.setProxyServer(server(proxy)) : config).build();
    }

    private static ProxyServer server(ProxySettings proxy) {
        Realm login = proxy.username().isEmpty()
                ? null
                : new Realm.Builder(proxy.username(), proxy.password())
                        .setScheme(Realm.AuthScheme.BASIC)
                        .setUsePreemptiveAuth(true)
                        .build();
        ProxyType type = switch (proxy.type()) {
            case HTTP -> ProxyType.HTTP;
            case SOCKS5 -> ProxyType.SOCKS_V5;
            case NONE -> throw new IllegalStateException("there is no proxy");
        };
        return new ProxyServer(proxy.host(), proxy.port(), proxy.port(), login, List.of(), type);
    }

    private void guard(Channel connection, boolean proxied) {
        ConnectionGuard.addTo(connection.pipeline(), connections);
        if (proxied) {
            // The client inserts the TLS handler of a tunnel before its decompressor, so that one must exist.
            connection
                    .pipeline()
                    .addBefore(
                            ChannelManager.CHUNKED_WRITER_HANDLER,
                            ChannelManager.INFLATER_HANDLER,
                            new ChannelInboundHandlerAdapter());
        }
    }

    /** Closes the idle connections that are pooled under such a key. */
    void closeIdle(Predicate<PoolKey> which) {
        for (ProfileClient route : routes.values()) {
            route.httpClient().flushChannelPoolPartitions(key -> which.test((PoolKey) key));
        }
    }

    void close() {
        routes.values().forEach(route -> route.httpClient().close());
        gate.close();
    }
}
