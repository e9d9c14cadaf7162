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
import io.iocluster.http.client.RouteTable.PoolKey;
import io.iocluster.http.client.RouteTable.TargetRoute;
import io.iocluster.http.client.pool.IdleConnections;
import io.iocluster.http.client.pool.IdleLimits;
import io.iocluster.http.dns.CheckedAddressResolverGroup;
import io.iocluster.http.dns.ConnectThrottle;
import io.iocluster.http.dns.TargetAddressChecker;
import io.iocluster.http.dns.UpstreamResolver;
import io.iocluster.http.timeout.TimeoutWheel;
import io.iocluster.log.LogThrottle;
import io.iocluster.message.ErrorCode;
import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.handler.ssl.SslContext;
import io.netty.resolver.AddressResolverGroup;
import io.netty.util.Timer;
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
 * Makes attempts with async-http-client. Confined to one event loop, except {@link #connectionStats} and {@link
 * #close}.
 *
 * <p>A compressed response is requested by the call's own {@code Accept-Encoding} or by the destination's profile. gzip
 * and deflate bodies are decompressed in either case, and their {@code Content-Encoding} and {@code Content-Length}
 * headers are dropped. A body with another content coding is passed on unchanged.
 */
final class NettyHttpExecutor implements HttpExecutor {

    private static final Logger LOG = LoggerFactory.getLogger(NettyHttpExecutor.class);

    private static final Duration CONNECTION_LIFETIME = Duration.ofMinutes(5);

    private final EventLoop loop;
    private final ProfileClients clients;
    private final TargetAddressChecker addressChecker;
    private final UpstreamResolver upstreamResolver;
    private final boolean failsOnLargeBody;
    private final int maxResponseBody;
    private final int maxResponseHeaderCount;
    private final RouteTable routes;
    private final ConnectThrottle connectThrottle;
    private final ConnectionCounter connections = new ConnectionCounter();
    private final ResponseHeaderReader headerReader = new ResponseHeaderReader();
    private final IdleConnections idleConnections;
    private final TimeoutWheel<HttpAttempt> openAttempts;
    private final LogThrottle unusableFiles = new LogThrottle(System.nanoTime());
    private boolean closed;

    /**
     * Creates an executor.
     *
     * @param eventLoop a {@code NioEventLoopGroup} or {@code EpollEventLoopGroup} with one thread; the owner shuts it
     *     down
     * @param timer for the client, which starts it when it first sets a timeout; the owner stops it
     * @param profiles returns the connection profile for a host in canonical form
     * @param policy checked again at each attempt, because it may have changed since the call was admitted
     * @param resolvers resolve names; the policy checks the addresses. Closed with the executor
     * @param trust the context for HTTPS targets whose profile has no TLS settings, with ALPN if HTTP/2 is wanted; null
     *     for the JDK's default
     */
    NettyHttpExecutor(
            EventLoopGroup eventLoop,
            Timer timer,
            HttpSettings settings,
            Function<String, HttpProfile> profiles,
            Supplier<EgressPolicy> policy,
            AddressResolverGroup<InetSocketAddress> resolvers,
            SslContext trust) {
        this.loop = eventLoop.next();
        if (eventLoop.next() != loop) {
            throw new IllegalArgumentException("eventLoop must have exactly one thread");
        }
        this.openAttempts = new TimeoutWheel<>(loop, System::nanoTime);
        var checkedResolvers = new CheckedAddressResolverGroup(resolvers, policy);
        this.idleConnections = new IdleConnections(
                loop,
                new IdleLimits(
                        settings.maxIdleConnectionsPerHost(),
                        settings.maxIdleConnections(),
                        settings.idleTimeout().toNanos(),
                        CONNECTION_LIFETIME.toNanos()));
        this.connectThrottle = new ConnectThrottle(loop, settings.concurrentConnects());
        this.clients = new ProfileClients(
                eventLoop,
                timer,
                settings,
                checkedResolvers,
                resolvers,
                connectThrottle,
                trust,
                connections,
                idleConnections);
        this.upstreamResolver = new UpstreamResolver(loop, checkedResolvers, settings.dns());
        this.addressChecker = new TargetAddressChecker(loop, checkedResolvers);
        this.routes = new RouteTable(policy, host -> clients.clientFor(profiles.apply(host)));
        this.failsOnLargeBody = settings.whenBodyTooLarge() == BodyTooLargePolicy.FAIL;
        this.maxResponseHeaderCount = settings.maxResponseHeaderCount();
        this.maxResponseBody = Math.toIntExact(settings.maxResponseBody().bytes());
    }

    @Override
    public CompletableFuture<HttpResult> execute(HttpRequest request, Duration timeout, BodyBudget budget) {
        if (!loop.inEventLoop()) {
            throw new IllegalStateException("execute() must be called on the executor's event loop");
        }
        long startNanos = System.nanoTime();
        if (closed) {
            return failure(ErrorCode.CONNECTION_CLOSED, "the executor is closed");
        }
        // The client would treat it as its own tunnel request to a proxy and never complete the call.
        if (request.method().equals("CONNECT")) {
            return failure(ErrorCode.INVALID_METHOD, ErrorCode.INVALID_METHOD.description());
        }
        TargetRoute route;
        try {
            route = route(request.url().origin(), request.upstream());
        } catch (SSLException | IllegalArgumentException notUsable) {
            logUnusable(request, notUsable);
            return failure(ErrorCode.TLS, "the node's TLS files for the target cannot be used");
        }
        if (route.rejection() != null) {
            return failure(route.rejection().code(), route.rejection().message());
        }
        HttpAttempt attempt = new HttpAttempt(this, request, route, AhcRequestFactory.create(request, route), budget);
        // The first call with a profile creates the client, and that time counts against the timeout.
        return attempt.start(startNanos, timeout.toNanos());
    }

    /** Logs at most once in ten seconds, because thousands of calls may fail until the files are repaired. */
    private void logUnusable(HttpRequest request, Exception notUsable) {
        if (unusableFiles.pollSuppressed(System.nanoTime()) != LogThrottle.NOT_DUE) {
            LOG.error(
                    "TLS files not usable; calls to the destination fail destination={}",
                    request.url().destination(),
                    notUsable);
        }
    }

    /**
     * Returns the route under the current policy. If the policy changed, idle connections made under the old one are
     * closed now, and busy ones when their call ends.
     */
    private TargetRoute route(Origin origin, UpstreamAddress upstream) throws SSLException {
        if (routes.refreshPolicy()) {
            clients.closeIdle(key -> !routes.isCurrent(key));
            idleConnections.closeIdleHttp2();
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
        return connections.snapshot(idleConnections.hosts());
    }

    @Override
    public void close() {
        try {
            loop.execute(this::closeOnLoop);
        } catch (RejectedExecutionException loopIsShutDown) {
            clients.close();
        }
    }

    /** Ends open attempts first, because the client drops its calls without a result when it closes. */
    private void closeOnLoop() {
        closed = true;
        for (HttpAttempt open : openAttempts.all()) {
            open.fail(ErrorCode.CONNECTION_CLOSED, "the executor was closed");
        }
        upstreamResolver.close();
        clients.close();
    }

    void closeIdleConnections(PoolKey key) {
        clients.closeIdle(key::equals);
    }

    /** Called when a call on the connection is over and the client is about to pool it. */
    void connectionReleased(Channel connection, PoolKey key) {
        if (idleConnections.trackIfHttp2(connection)) {
            return;
        }
        if (!routes.isCurrent(key)) {
            connection.close();
        }
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
