package io.iocluster.http.ahc;

import io.iocluster.egress.EgressPolicy;
import io.iocluster.egress.Origin;
import io.iocluster.http.BodyBudget;
import io.iocluster.http.BodyTooLargePolicy;
import io.iocluster.http.HttpExecutor;
import io.iocluster.http.HttpProfile;
import io.iocluster.http.HttpRequest;
import io.iocluster.http.HttpResult;
import io.iocluster.http.HttpResult.AttemptTiming;
import io.iocluster.http.HttpResult.Failure;
import io.iocluster.http.HttpSettings;
import io.iocluster.http.ahc.RouteTable.PoolKey;
import io.iocluster.http.ahc.RouteTable.TargetRoute;
import io.iocluster.http.dns.CheckedAddressResolverGroup;
import io.iocluster.http.dns.ConnectThrottle;
import io.iocluster.http.dns.TargetAddressChecker;
import io.iocluster.message.ErrorCode;
import io.iocluster.message.SentStatus;
import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.handler.ssl.SslContext;
import io.netty.resolver.AddressResolverGroup;
import io.netty.util.Timer;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;
import java.util.function.Supplier;
import javax.net.ssl.SSLException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes attempts with async-http-client on one event loop. Confined to that loop, but for {@link #connections} and {@link
 * #close}.
 *
 * <p>A call that wants a compressed answer says so with its own {@code Accept-Encoding}, or its destination's profile does;
 * gzip and deflate are undone, whoever asked for them. {@code Content-Encoding} and {@code Content-Length} of an answer that
 * was undone are dropped. A body with any other content coding is passed on as it came.
 */
final class AsyncHttpExecutor implements HttpExecutor {

    private static final Logger LOG = LoggerFactory.getLogger(AsyncHttpExecutor.class);

    private static final long LOG_INTERVAL_NANOS = Duration.ofSeconds(10).toNanos();

    private final EventLoop loop;
    private final Timer timer;
    private final ProfileClients clients;
    private final TargetAddressChecker targets;
    private final boolean failTooLarge;
    private final int maxResponseBody;
    private final int maxResponseHeaderCount;
    private final RouteTable places;
    private final ConnectThrottle turns;
    private final ConnectionCounter connections = new ConnectionCounter();
    private final ResponseHeaderReader answerHeaders = new ResponseHeaderReader();
    private final IdleHttp2Connections idleHttp2;
    private long unusableLoggedNanos = System.nanoTime() - LOG_INTERVAL_NANOS;
    private HttpAttempt underWay;
    private boolean closed;

    /**
     * Makes an executor.
     *
     * @param eventLoop of one thread, a {@code NioEventLoopGroup} or {@code EpollEventLoopGroup}; stays its owner's to shut
     *     down
     * @param timer stays its owner's to stop
     * @param profiles says for a host in canonical spelling how connections to it are made
     * @param policy asked once more at each attempt, for it may have changed since the call was admitted
     * @param resolvers find names; what they find is judged by the policy. Closed with the executor
     * @param trust what HTTPS targets are checked with whose profile says nothing of it, made for ALPN if HTTP/2 is wanted;
     *     null for the JDK's own
     */
    AsyncHttpExecutor(
            EventLoopGroup eventLoop,
            Timer timer,
            HttpSettings settings,
            Function<String, HttpProfile> profiles,
            Supplier<EgressPolicy> policy,
            AddressResolverGroup<InetSocketAddress> resolvers,
            SslContext trust) {
        this.loop = eventLoop.next();
        if (eventLoop.next() != loop) {
            throw new IllegalArgumentException("an executor runs on one event loop");
        }
        this.timer = timer;
        var gate = new CheckedAddressResolverGroup(resolvers, policy);
        this.turns = new ConnectThrottle(loop, settings.concurrentConnects());
        this.clients = new ProfileClients(eventLoop, timer, settings, gate, resolvers, turns, trust, connections);
        this.targets = new TargetAddressChecker(loop, gate);
        this.places = new RouteTable(policy, host -> clients.clientFor(profiles.apply(host)));
        this.failTooLarge = settings.whenBodyTooLarge() == BodyTooLargePolicy.FAIL;
        this.maxResponseHeaderCount = settings.maxResponseHeaderCount();
        this.maxResponseBody = Math.toIntExact(settings.maxResponseBody().bytes());
        this.idleHttp2 = new IdleHttp2Connections(loop, settings.idleTimeout().toNanos());
    }

    @Override
    public CompletableFuture<HttpResult> execute(HttpRequest request, Duration timeout, BodyBudget budget) {
        if (!loop.inEventLoop()) {
            throw new IllegalStateException("attempts are made on the executor's event loop");
        }
        long startNanos = System.nanoTime();
        if (closed) {
            return refused(ErrorCode.CONNECTION_CLOSED, "the executor is closed");
        }
        // The client would take it for its own tunnel to a proxy and never come back.
        if (request.method().equals("CONNECT")) {
            return refused(ErrorCode.INVALID_METHOD, ErrorCode.INVALID_METHOD.description());
        }
        TargetRoute place;
        try {
            place = place(request.url().origin());
        } catch (SSLException | IllegalArgumentException unusable) {
            logUnusable(request, unusable);
            return refused(ErrorCode.TLS, "the node's TLS files for the target cannot be used");
        }
        if (place.rejection() != null) {
            return refused(place.rejection().code(), place.rejection().message());
        }
        HttpAttempt attempt = new HttpAttempt(this, request, place, AhcRequestFactory.create(request, place), budget);
        begun(attempt);
        // The first call to a destination creates the client, which takes some of the call's time.
        return attempt.start(Math.max(0, timeout.toNanos() - (System.nanoTime() - startNanos)));
    }

    /** Rate-limited, because thousands of calls may fail until the files are repaired. */
    private void logUnusable(HttpRequest request, Exception unusable) {
        long now = System.nanoTime();
        if (now - unusableLoggedNanos >= LOG_INTERVAL_NANOS) {
            unusableLoggedNanos = now;
            LOG.error("TLS files cannot be used destination={}", request.url().destination(), unusable);
        }
    }

    /** What a call may use now. Connections made under a policy that is gone are closed, or when their call ends. */
    private TargetRoute place(Origin origin) throws SSLException {
        if (places.refreshPolicy()) {
            clients.closeIdle(key -> !places.isCurrent(key));
            idleHttp2.closeIdle();
        }
        return places.routeTo(origin);
    }

    private static CompletableFuture<HttpResult> refused(ErrorCode code, String message) {
        return CompletableFuture.completedFuture(new Failure(code, message, SentStatus.NO, AttemptTiming.NONE));
    }

    @Override
    public ConnectionStats connectionStats() {
        return connections.snapshot();
    }

    @Override
    public void close() {
        try {
            loop.execute(this::closeOnLoop);
        } catch (RejectedExecutionException loopIsGone) {
            clients.close();
        }
    }

    /** The client forgets its calls when it closes, so they are ended first. */
    private void closeOnLoop() {
        closed = true;
        while (underWay != null) {
            underWay.fail(ErrorCode.CONNECTION_CLOSED, "the executor was closed");
        }
        clients.close();
    }

    private void begun(HttpAttempt attempt) {
        attempt.next = underWay;
        if (underWay != null) {
            underWay.previous = attempt;
        }
        underWay = attempt;
    }

    /** Forgets an attempt; called once by each. */
    void removeAttempt(HttpAttempt attempt) {
        if (attempt.previous == null) {
            underWay = attempt.next;
        } else {
            attempt.previous.next = attempt.next;
        }
        if (attempt.next != null) {
            attempt.next.previous = attempt.previous;
        }
        attempt.previous = null;
        attempt.next = null;
    }

    /** From any thread. */
    void executeOnLoop(Runnable task) {
        try {
            loop.execute(task);
        } catch (RejectedExecutionException loopIsGone) {
            // Then so is everything that waited for the task, and the worker's supervisor answers its calls.
        }
    }

    void closeIdleConnections(PoolKey key) {
        clients.closeIdle(key::equals);
    }

    /** The connection's call is over, and the client is about to pool it. */
    void connectionReleased(Channel connection, PoolKey key) {
        if (idleHttp2.trackIfHttp2(connection)) {
            return;
        }
        if (!places.isCurrent(key)) {
            connection.close();
        }
    }

    boolean isClosed() {
        return closed;
    }

    Timer timer() {
        return timer;
    }

    ConnectThrottle connectThrottle() {
        return turns;
    }

    TargetAddressChecker addressChecker() {
        return targets;
    }

    int maxResponseBody() {
        return maxResponseBody;
    }

    int maxResponseHeaderCount() {
        return maxResponseHeaderCount;
    }

    /** Whether a body over the limit is a failure, and not cut off. */
    boolean failsOnLargeBody() {
        return failTooLarge;
    }

    ResponseHeaderReader headerReader() {
        return answerHeaders;
    }
}
