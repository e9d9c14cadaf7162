package io.iocluster.http;

import io.iocluster.egress.EgressPolicy;
import io.iocluster.egress.Origin;
import io.iocluster.http.HttpResult.AttemptTiming;
import io.iocluster.http.HttpResult.Failure;
import io.iocluster.http.Places.Place;
import io.iocluster.http.Places.PoolKey;
import io.iocluster.message.ErrorCode;
import io.iocluster.message.Sent;
import io.netty.buffer.PooledByteBufAllocator;
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
import java.util.function.Supplier;
import org.asynchttpclient.AsyncHttpClientConfig;
import org.asynchttpclient.AsyncHttpClientConfig.ResponseBodyPartFactory;
import org.asynchttpclient.DefaultAsyncHttpClient;
import org.asynchttpclient.DefaultAsyncHttpClientConfig;
import org.asynchttpclient.netty.channel.ChannelManager;

/**
 * Makes attempts with async-http-client on one event loop. Confined to that loop, but for {@link #connections} and {@link
 * #close}.
 *
 * <p>The client's own ways of doing more than one attempt, or another one than was asked for, are all off: redirects,
 * retries, cookies, proxies, compression unasked for. A call that wants a compressed answer says so with its own
 * {@code Accept-Encoding}; gzip and deflate are undone, whoever asked for them. {@code Content-Encoding} and
 * {@code Content-Length} of an answer that was undone are dropped.
 */
final class AsyncHttpExecutor implements HttpExecutor {

    private static final Duration NONE = Duration.ofMillis(-1);
    private static final Duration CONNECTION_LIFETIME = Duration.ofMinutes(5);
    private static final Duration HTTP2_PING_INTERVAL = Duration.ofSeconds(10);

    private final EventLoop loop;
    private final Timer timer;
    private final DefaultAsyncHttpClient client;
    private final int maxResponseBody;
    private final Places places;
    private final ConnectionCount connections = new ConnectionCount();
    private final AnswerHeaders answerHeaders = new AnswerHeaders();
    private final IdleHttp2Connections idleHttp2;
    private Attempt underWay;
    private boolean closed;

    /**
     * Makes an executor.
     *
     * @param eventLoop of one thread, a {@code NioEventLoopGroup} or {@code EpollEventLoopGroup}; stays its owner's to shut
     *     down
     * @param timer stays its owner's to stop
     * @param policy asked once more at each attempt, for it may have changed since the call was admitted
     * @param resolver the gate that every connection passes; closed with the executor
     * @param trust what HTTPS targets are checked with, made for ALPN if HTTP/2 is wanted; null for the JDK's own
     */
    AsyncHttpExecutor(
            EventLoopGroup eventLoop,
            Timer timer,
            HttpSettings settings,
            Supplier<EgressPolicy> policy,
            AddressResolverGroup<InetSocketAddress> resolver,
            SslContext trust) {
        this.loop = eventLoop.next();
        if (eventLoop.next() != loop) {
            throw new IllegalArgumentException("an executor runs on one event loop");
        }
        this.timer = timer;
        this.places = new Places(policy);
        this.maxResponseBody = Math.toIntExact(settings.maxResponseBody().bytes());
        this.idleHttp2 = new IdleHttp2Connections(loop, settings.keepAlive().toNanos());
        this.client = new DefaultAsyncHttpClient(config(eventLoop, settings, resolver, trust));
    }

    private AsyncHttpClientConfig config(
            EventLoopGroup eventLoop,
            HttpSettings settings,
            AddressResolverGroup<InetSocketAddress> resolver,
            SslContext trust) {
        int perDestination = settings.connectionsPerDestination();
        int maxHeaders = Math.toIntExact(settings.maxResponseHeaders().bytes());
        return new DefaultAsyncHttpClientConfig.Builder()
                .setEventLoopGroup(eventLoop)
                .setNettyTimer(timer)
                .setAddressResolverGroup(resolver)
                .setSslContext(trust)
                .setHttpAdditionalChannelInitializer(this::guard)
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
                .setConnectTimeout(settings.connectTimeout())
                // A limit fails at once: waiting for a free connection would block the loop.
                .setAcquireFreeChannelTimeout(0)
                .setMaxConnectionsPerHost(perDestination == 0 ? -1 : perDestination)
                .setKeepAlive(!settings.keepAlive().isZero())
                .setPooledConnectionIdleTimeout(settings.keepAlive())
                .setConnectionTtl(CONNECTION_LIFETIME)
                // Bodies are counted after decompression as they are kept, where a large one is cut off, not failed.
                .setEnableAutomaticDecompression(true)
                .setMaxDecompressedResponseSize(0)
                .setHttp2MaxDecompressedResponseSize(0)
                .setResponseBodyPartFactory(ResponseBodyPartFactory.LAZY)
                .setHttpClientCodecMaxHeaderSize(maxHeaders)
                .setHttp2MaxHeaderListSize(maxHeaders)
                .setHttp2Enabled(settings.http2())
                .setHttp2CleartextEnabled(false)
                .setHttp2PingInterval(HTTP2_PING_INTERVAL)
                .setAllocator(PooledByteBufAllocator.DEFAULT)
                .build();
    }

    private void guard(Channel connection) {
        connection.pipeline().addAfter(ChannelManager.HTTP_CLIENT_CODEC, "guard", new ConnectionGuard(connections));
    }

    @Override
    public CompletableFuture<HttpResult> execute(HttpRequest request, Duration timeout, BodyBudget budget) {
        if (!loop.inEventLoop()) {
            throw new IllegalStateException("attempts are made on the executor's event loop");
        }
        if (closed) {
            return refused(ErrorCode.CONNECTION_CLOSED, "the executor is closed");
        }
        // The client would take it for its own tunnel to a proxy and never come back.
        if (request.method().equals("CONNECT")) {
            return refused(ErrorCode.INVALID_METHOD, ErrorCode.INVALID_METHOD.meaning());
        }
        Place place = place(request.url().origin());
        if (place.refusal() != null) {
            return refused(place.refusal().code(), place.refusal().message());
        }
        Attempt attempt = new Attempt(this, request, place, WireRequests.from(request, place), budget);
        begun(attempt);
        return attempt.start(timeout.toMillis());
    }

    /** What a call may use now. Connections made under a policy that is gone are closed, or when their call ends. */
    private Place place(Origin origin) {
        if (places.renew()) {
            client.flushChannelPoolPartitions(key -> !places.isCurrent((PoolKey) key));
            idleHttp2.closeIdle();
        }
        return places.of(origin);
    }

    private static CompletableFuture<HttpResult> refused(ErrorCode code, String message) {
        return CompletableFuture.completedFuture(new Failure(code, message, Sent.NO, AttemptTiming.NONE));
    }

    @Override
    public Connections connections() {
        return connections.snapshot();
    }

    @Override
    public void close() {
        try {
            loop.execute(this::closeOnLoop);
        } catch (RejectedExecutionException loopIsGone) {
            client.close();
        }
    }

    /** The client forgets its calls when it closes, so they are ended first. */
    private void closeOnLoop() {
        closed = true;
        while (underWay != null) {
            underWay.fail(ErrorCode.CONNECTION_CLOSED, "the executor was closed");
        }
        client.close();
    }

    private void begun(Attempt attempt) {
        attempt.next = underWay;
        if (underWay != null) {
            underWay.previous = attempt;
        }
        underWay = attempt;
    }

    /** Forgets an attempt; called once by each. */
    void ended(Attempt attempt) {
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
    void onLoop(Runnable task) {
        try {
            loop.execute(task);
        } catch (RejectedExecutionException loopIsGone) {
            // Then so is everything that waited for the task, and the worker's supervisor answers its calls.
        }
    }

    void closeIdle(PoolKey key) {
        client.flushChannelPoolPartitions(key::equals);
    }

    /** The connection's call is over, and the client is about to pool it. */
    void released(Channel connection, PoolKey key) {
        if (idleHttp2.released(connection)) {
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

    DefaultAsyncHttpClient client() {
        return client;
    }

    int maxResponseBody() {
        return maxResponseBody;
    }

    AnswerHeaders answerHeaders() {
        return answerHeaders;
    }
}
