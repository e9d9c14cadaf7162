package io.iocluster.http.client;

import io.iocluster.egress.EgressPolicy;
import io.iocluster.egress.Origin;
import io.iocluster.http.BodyBudget;
import io.iocluster.http.BodyTooLargePolicy;
import io.iocluster.http.Certainty;
import io.iocluster.http.HttpExecutor;
import io.iocluster.http.HttpProfile;
import io.iocluster.http.HttpRequest;
import io.iocluster.http.HttpResult;
import io.iocluster.http.HttpResult.AttemptTiming;
import io.iocluster.http.HttpResult.Failure;
import io.iocluster.http.HttpSettings;
import io.iocluster.http.UpstreamAddress;
import io.iocluster.http.UpstreamName;
import io.iocluster.http.client.RouteTable.TargetRoute;
import io.iocluster.http.connect.ConnectThrottle;
import io.iocluster.http.connect.Dialer;
import io.iocluster.http.connection.HttpConnection;
import io.iocluster.http.connection.TlsOverheadLimit;
import io.iocluster.http.connection.http1.Http1Connection;
import io.iocluster.http.connection.http1.Http1Settings;
import io.iocluster.http.connection.http2.Http2Connection;
import io.iocluster.http.connection.http2.Http2Limits;
import io.iocluster.http.dns.CheckedAddressResolverGroup;
import io.iocluster.http.dns.TargetAddressChecker;
import io.iocluster.http.dns.UpstreamResolver;
import io.iocluster.http.pool.ConnectionPool;
import io.iocluster.http.pool.PoolLimits;
import io.iocluster.http.timeout.TimeoutWheel;
import io.iocluster.log.LogThrottle;
import io.iocluster.message.ErrorCode;
import io.iocluster.thread.NodeClock;
import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.channel.epoll.EpollEventLoopGroup;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.ssl.SslContext;
import io.netty.resolver.AddressResolverGroup;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;
import java.util.function.Supplier;
import javax.net.ssl.SSLException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes attempts over HTTP/1.1 and HTTP/2, on pooled connections. Confined to one event loop, except {@link #connectionStats} and {@link
 * #close}. Follows no redirect, stores no cookie, and reads no proxy from the environment.
 *
 * <p>A compressed response is requested by the call's own {@code Accept-Encoding} or by the destination's profile. gzip
 * and deflate bodies are decompressed in either case, and their {@code Content-Encoding} and {@code Content-Length}
 * headers are dropped. A body with another content coding is passed on unchanged.
 */
final class NettyHttpExecutor implements HttpExecutor {

    private static final Logger LOG = LoggerFactory.getLogger(NettyHttpExecutor.class);

    /** Maximum age of a connection, so that load balancers and DNS can move calls to other servers. */
    private static final Duration CONNECTION_LIFETIME = Duration.ofMinutes(5);

    /** The node notices within twice this time that a firewall or NAT has dropped an HTTP/2 connection with open calls. */
    private static final Duration HTTP2_PING_TIMEOUT = Duration.ofSeconds(10);

    /**
     * Maximum reads, of up to 64 KiB each, from one connection before the event loop serves the others. With Netty's default of 16, a
     * hundred large bodies delay each small answer by 100 MiB of reads. A small answer takes one read.
     */
    static final int MAX_READS_IN_A_ROW = 2;

    /**
     * Minimum size of a read. Netty shrinks the buffer after small reads, to 64 bytes by default, and the read before a POST usually finds
     * nothing. A small answer would then take several reads.
     */
    private static final int MIN_READ_BYTES = 2 * 1024;

    /**
     * Maximum unsent bytes that the kernel accepts. Otherwise it accepts megabytes, and the request looks written although the target answers
     * without reading it.
     */
    private static final long MAX_UNSENT_BYTES = 16 * 1024;

    private final EventLoop loop;
    private final AddressResolverGroup<InetSocketAddress> checkedResolvers;
    private final TargetAddressChecker addressChecker;
    private final UpstreamResolver upstreamResolver;
    private final boolean failsOnLargeBody;
    private final int maxResponseBody;
    private final int maxResponseHeaderCount;
    private final RouteTable routes;
    private final ConnectThrottle connectThrottle;
    private final ConnectionPool connections;
    private final Http1Settings http1;
    private final Http2Limits http2;
    private final ResponseHeaderReader headerReader = new ResponseHeaderReader();
    private final TimeoutWheel<HttpAttempt> openAttempts;
    private final NodeClock clock;
    private final LogThrottle unusableFiles;
    private boolean closed;

    /**
     * Creates an executor.
     *
     * @param eventLoop a {@code NioEventLoopGroup} or {@code EpollEventLoopGroup} with one thread; the owner shuts it
     *     down
     * @param profiles returns the connection profile for a host in canonical form
     * @param policy checked again at each attempt, because it may have changed since the call was admitted
     * @param resolvers resolve names; the policy checks the addresses. Closed with the executor
     * @param trust the context for HTTPS targets whose profile has no TLS settings, with ALPN if HTTP/2 is wanted; null
     *     for the JDK's default
     */
    NettyHttpExecutor(
            EventLoopGroup eventLoop,
            HttpSettings settings,
            Function<String, HttpProfile> profiles,
            Supplier<EgressPolicy> policy,
            AddressResolverGroup<InetSocketAddress> resolvers,
            SslContext trust,
            NodeClock clock) {
        this.clock = clock;
        this.unusableFiles = new LogThrottle(LOG, clock::nanos);
        this.loop = eventLoop.next();
        if (eventLoop.next() != loop) {
            throw new IllegalArgumentException("eventLoop must have exactly one thread");
        }
        this.openAttempts = new TimeoutWheel<>(loop, clock::nanos);
        this.checkedResolvers = new CheckedAddressResolverGroup(resolvers, policy);
        this.connectThrottle = new ConnectThrottle(loop, settings.concurrentConnects());
        int maxHeadBytes = Math.toIntExact(settings.maxResponseHeaders().bytes());
        boolean keepAlive = !settings.idleTimeout().isZero();
        this.http1 = new Http1Settings(maxHeadBytes, settings.maxResponseHeaderCount(), keepAlive);
        this.http2 = new Http2Limits(
                maxHeadBytes,
                HTTP2_PING_TIMEOUT,
                new LogThrottle(LoggerFactory.getLogger(Http2Connection.class), clock::nanos));
        Dialer dialer = new Dialer(
                loop,
                newBootstrap(eventLoop),
                checkedResolvers,
                resolvers,
                connectThrottle,
                settings.dns().maxAddresses(),
                clock::nanos);
        this.connections = new ConnectionPool(
                loop,
                new PoolLimits(
                        settings.connectionsPerDestination(),
                        settings.maxIdleConnectionsPerHost(),
                        settings.maxIdleConnections(),
                        settings.idleTimeout().toNanos(),
                        CONNECTION_LIFETIME.toNanos()),
                dialer,
                this::open,
                clock::nanos);
        this.upstreamResolver = new UpstreamResolver(loop, checkedResolvers, settings.dns(), clock);
        this.addressChecker = new TargetAddressChecker(loop, checkedResolvers);
        ConnectionProfiles contexts = new ConnectionProfiles(trust);
        this.routes = new RouteTable(policy, host -> contexts.get(profiles.apply(host)));
        this.failsOnLargeBody = settings.whenBodyTooLarge() == BodyTooLargePolicy.FAIL;
        this.maxResponseHeaderCount = settings.maxResponseHeaderCount();
        this.maxResponseBody = Math.toIntExact(settings.maxResponseBody().bytes());
    }

    // The replacement for both groups does not say which transport it has.
    @SuppressWarnings("deprecation")
    private static Bootstrap newBootstrap(EventLoopGroup eventLoop) {
        boolean epoll = eventLoop instanceof EpollEventLoopGroup;
        Bootstrap bootstrap = new Bootstrap();
        if (epoll) {
            bootstrap.option(EpollChannelOption.TCP_NOTSENT_LOWAT, MAX_UNSENT_BYTES);
        }
        return bootstrap
                .group(eventLoop)
                .channel(epoll ? EpollSocketChannel.class : NioSocketChannel.class)
                .option(ChannelOption.ALLOCATOR, PooledByteBufAllocator.DEFAULT)
                .option(ChannelOption.TCP_NODELAY, true)
                .option(ChannelOption.SO_KEEPALIVE, true)
                // A write may fail although an answer or a GOAWAY is still unread.
                .option(ChannelOption.AUTO_CLOSE, false)
                .option(
                        ChannelOption.RECVBUF_ALLOCATOR,
                        new AdaptiveRecvByteBufAllocator(
                                        MIN_READ_BYTES,
                                        AdaptiveRecvByteBufAllocator.DEFAULT_INITIAL,
                                        AdaptiveRecvByteBufAllocator.DEFAULT_MAXIMUM)
                                .maxMessagesPerRead(MAX_READS_IN_A_ROW));
    }

    private HttpConnection open(Channel channel, boolean isHttp2) {
        HttpConnection opened = isHttp2
                ? Http2Connection.open(channel, http2, clock::nanos)
                : Http1Connection.open(channel, http1, clock::nanos);
        TlsOverheadLimit.onOpened(opened);
        return opened;
    }

    @Override
    public CompletableFuture<HttpResult> execute(HttpRequest request, Duration timeout, BodyBudget budget) {
        if (!loop.inEventLoop()) {
            throw new IllegalStateException("execute() must be called on the executor's event loop");
        }
        long startNanos = clock.nanos();
        if (closed) {
            return failure(ErrorCode.CONNECTION_CLOSED, "the executor is closed");
        }
        // The response to CONNECT has no end (RFC 9110, section 9.3.6).
        if (request.method().equals("CONNECT")) {
            return failure(ErrorCode.INVALID_METHOD, ErrorCode.INVALID_METHOD.description());
        }
        TargetRoute route;
        try {
            route = route(request.url().origin(), request.upstream());
        } catch (SSLException | IllegalArgumentException notUsable) {
            unusableFiles.error(
                    "TLS files not usable; calls to the destination fail destination={}",
                    request.url().destination(),
                    notUsable);
            return failure(ErrorCode.TLS, "the node's TLS files for the target cannot be used");
        }
        if (route.rejection() != null) {
            return failure(route.rejection().code(), route.rejection().message());
        }
        HttpAttempt attempt =
                new HttpAttempt(this, request, route, WireRequests.create(request, route, http1.keepAlive()), budget);
        // The first call with a profile reads its TLS files, and that time counts against the timeout.
        return attempt.start(startNanos, timeout.toNanos());
    }

    /**
     * Returns the route under the current policy. If the policy changed, idle connections made under the old one are
     * closed now, and busy ones when their calls have ended.
     */
    private TargetRoute route(Origin origin, UpstreamAddress upstream) throws SSLException {
        if (routes.refreshPolicy()) {
            connections.drain(key -> !routes.isCurrent(key));
        }
        return upstream == null ? routes.routeTo(origin) : routes.routeTo(origin, upstream);
    }

    private static CompletableFuture<HttpResult> failure(ErrorCode code, String message) {
        return CompletableFuture.completedFuture(new Failure(code, message, Certainty.NOT_SENT, AttemptTiming.NONE));
    }

    @Override
    public CompletableFuture<List<UpstreamAddress>> resolve(UpstreamName name) {
        return upstreamResolver.resolve(name);
    }

    @Override
    public ConnectionStats connectionStats() {
        return connections.stats();
    }

    @Override
    public void close() {
        try {
            loop.execute(this::closeOnLoop);
        } catch (RejectedExecutionException loopIsShutDown) {
            checkedResolvers.close(); // The loop closed its channels.
        }
    }

    /** Ends open attempts before it closes their connections, so that they say why they end. */
    private void closeOnLoop() {
        closed = true;
        openAttempts.all().forEach(HttpAttempt::close);
        upstreamResolver.close();
        connections.close();
        checkedResolvers.close();
    }

    NodeClock clock() {
        return clock;
    }

    ConnectionPool connections() {
        return connections;
    }

    boolean isClosed() {
        return closed;
    }

    TimeoutWheel<HttpAttempt> openAttempts() {
        return openAttempts;
    }

    ConnectThrottle connectThrottle() {
        return connectThrottle;
    }

    TargetAddressChecker addressChecker() {
        return addressChecker;
    }

    int maxResponseBody() {
        return maxResponseBody;
    }

    int maxResponseHeaderCount() {
        return maxResponseHeaderCount;
    }

    /** Returns whether a body over the limit fails the call; otherwise it is truncated. */
    boolean failsOnLargeBody() {
        return failsOnLargeBody;
    }

    ResponseHeaderReader headerReader() {
        return headerReader;
    }
}
