package io.iocluster.http.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.egress.EgressMode;
import io.iocluster.egress.EgressPolicy;
import io.iocluster.egress.EgressSettings;
import io.iocluster.egress.TargetUrl;
import io.iocluster.http.BodyBudget;
import io.iocluster.http.HttpExecutor;
import io.iocluster.http.HttpProfile;
import io.iocluster.http.HttpRequest;
import io.iocluster.http.HttpResult;
import io.iocluster.http.HttpSettings;
import io.iocluster.message.Header;
import io.iocluster.testkit.record.RecordCopy;
import io.iocluster.thread.NodeClock;
import io.iocluster.thread.Platform;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.SingleThreadEventLoop;
import io.netty.handler.ssl.SslContext;
import io.netty.resolver.AddressResolverGroup;
import io.netty.resolver.DefaultAddressResolverGroup;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.awaitility.Awaitility;

/** Runs an executor on its own event loop for tests on other threads. Allows loopback addresses. */
final class TestExecutor implements AutoCloseable {

    static final BodyBudget UNLIMITED = bytes -> true;

    /** The timeout of attempts that must not time out, also on a busy machine. */
    static final Duration LONG_TIMEOUT = Duration.ofMinutes(1);

    private final EventLoopGroup loop =
            NettyHttpExecutorFactory.newEventLoop(new DefaultThreadFactory("test-loop", true));
    private final NettyHttpExecutor executor;

    TestExecutor() {
        this(HttpSettings.DEFAULTS);
    }

    TestExecutor(HttpSettings settings) {
        this(settings, null);
    }

    TestExecutor(HttpSettings settings, SslContext trust) {
        this(settings, trust, DefaultAddressResolverGroup.INSTANCE, always(policy("127.0.0.0/8")));
    }

    TestExecutor(
            HttpSettings settings,
            SslContext trust,
            AddressResolverGroup<InetSocketAddress> resolvers,
            Supplier<EgressPolicy> policy) {
        this(settings, HttpProfile.of(settings), trust, resolvers, policy);
    }

    TestExecutor(HttpProfile profile) {
        this(profile, policy("127.0.0.0/8"));
    }

    TestExecutor(
            HttpSettings settings,
            HttpProfile profile,
            SslContext trust,
            AddressResolverGroup<InetSocketAddress> resolvers,
            Supplier<EgressPolicy> policy) {
        this(settings, profile, trust, resolvers, policy, Platform.system());
    }

    TestExecutor(SslContext trust, NodeClock clock) {
        this(
                HttpSettings.DEFAULTS,
                HttpProfile.of(HttpSettings.DEFAULTS),
                trust,
                DefaultAddressResolverGroup.INSTANCE,
                always(policy("127.0.0.0/8")),
                clock);
    }

    private TestExecutor(
            HttpSettings settings,
            HttpProfile profile,
            SslContext trust,
            AddressResolverGroup<InetSocketAddress> resolvers,
            Supplier<EgressPolicy> policy,
            NodeClock clock) {
        executor = new NettyHttpExecutor(loop, settings, host -> profile, policy, resolvers, trust, clock);
    }

    TestExecutor(HttpProfile profile, EgressPolicy policy) {
        this(HttpSettings.DEFAULTS, profile, null, DefaultAddressResolverGroup.INSTANCE, always(policy));
    }

    static Supplier<EgressPolicy> always(EgressPolicy policy) {
        return () -> policy;
    }

    /** Returns a policy that allows every port and these private networks. */
    static EgressPolicy policy(String... networks) {
        return new EgressPolicy(settings(EgressMode.ENFORCE, networks));
    }

    static EgressSettings settings(EgressMode mode, String... networks) {
        return RecordCopy.with(
                EgressSettings.DEFAULTS, "mode", mode, "ports", List.of(), "allowNetworks", List.of(networks));
    }

    HttpExecutor executor() {
        return executor;
    }

    /** Returns the number of addresses with open connect permits. */
    int connectingTargets() {
        return onLoop(this::openConnectPermits);
    }

    /** Returns the same on the event loop. */
    int openConnectPermits() {
        return executor.connectThrottle().targetCount();
    }

    void awaitNoConnections() {
        Awaitility.await()
                .untilAsserted(() ->
                        assertThat(executor.connectionStats()).isEqualTo(new HttpExecutor.ConnectionStats(0, 0, 0)));
    }

    EventLoopGroup loop() {
        return loop;
    }

    CompletableFuture<HttpResult> call(HttpRequest request, Duration timeout, BodyBudget budget) {
        CompletableFuture<HttpResult> result = new CompletableFuture<>();
        loop.execute(() -> executor.execute(request, timeout, budget).whenComplete((value, bug) -> {
            if (bug != null) {
                result.completeExceptionally(bug);
            } else if (!loop.next().inEventLoop()) {
                result.completeExceptionally(new AssertionError("not on the loop"));
            } else {
                result.complete(value);
            }
        }));
        return result;
    }

    /** Runs the task on the event loop and returns its result. */
    <T> T onLoop(Callable<T> task) {
        return loop.submit(task).syncUninterruptibly().getNow();
    }

    /** Waits until the event loop has ended its current turn, in which a connection may have become idle. */
    void awaitEndOfTurn() {
        CompletableFuture<Void> ended = new CompletableFuture<>();
        SingleThreadEventLoop onlyLoop = (SingleThreadEventLoop) loop.next();
        onlyLoop.execute(() -> onlyLoop.executeAfterEventLoopIteration(() -> ended.complete(null)));
        ended.orTimeout(1, TimeUnit.MINUTES).join();
    }

    CompletableFuture<HttpResult> call(HttpRequest request) {
        return call(request, LONG_TIMEOUT, UNLIMITED);
    }

    HttpResult await(HttpRequest request) {
        // Fails instead of waiting forever if the attempt does not even end by its timeout.
        return call(request).orTimeout(2, TimeUnit.MINUTES).join();
    }

    HttpResult.Response response(HttpRequest request) {
        HttpResult result = await(request);
        if (result instanceof HttpResult.Response response) {
            return response;
        }
        throw new AssertionError("expected a response but got " + result);
    }

    HttpResult.Failure failure(HttpRequest request) {
        return failure(await(request));
    }

    static HttpResult.Failure failure(HttpResult result) {
        if (result instanceof HttpResult.Failure failure) {
            return failure;
        }
        throw new AssertionError("expected a failure but got " + result);
    }

    static HttpRequest get(int port, String path) {
        return request("GET", port, path, null);
    }

    static HttpRequest post(int port, String path, String body) {
        return request("POST", port, path, body);
    }

    static HttpRequest request(String method, int port, String path, String body, Header... headers) {
        return new HttpRequest(
                method,
                new TargetUrl("http", "127.0.0.1", port, path),
                List.of(headers),
                body == null ? null : body.getBytes(StandardCharsets.ISO_8859_1));
    }

    static String text(HttpResult.Response response) {
        return new String(response.body(), StandardCharsets.ISO_8859_1);
    }

    @Override
    public void close() {
        executor.close();
        loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
    }
}
