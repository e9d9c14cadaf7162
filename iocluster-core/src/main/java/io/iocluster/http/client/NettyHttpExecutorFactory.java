package io.iocluster.http.client;

import io.iocluster.egress.EgressPolicy;
import io.iocluster.http.HttpExecutor;
import io.iocluster.http.HttpProfile;
import io.iocluster.http.HttpSettings;
import io.iocluster.http.dns.DnsResolvers;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollEventLoopGroup;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.util.HashedWheelTimer;
import io.netty.util.Timer;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Creates event loops and the executors that run on them, with one shared timer. Thread-safe.
 *
 * <p>The caller that creates an event loop shuts it down after it closed the executor. {@link #close} stops the timer;
 * close the executors first, because their timeouts do not expire without it.
 */
public final class NettyHttpExecutorFactory implements AutoCloseable {

    private static final int TICK_MILLIS = 10;

    private final Supplier<EgressPolicy> policy;
    private final Timer timer = new HashedWheelTimer(
            new DefaultThreadFactory("iocluster-http-timer", true), TICK_MILLIS, TimeUnit.MILLISECONDS);

    /** Reads the policy at each attempt and each lookup, so that it can change while the node runs. */
    public NettyHttpExecutorFactory(Supplier<EgressPolicy> policy) {
        this.policy = policy;
    }

    /** Creates an event loop with one thread, as {@link #newExecutor} requires. */
    // The client does not accept the replacement for both classes, MultiThreadIoEventLoopGroup.
    @SuppressWarnings("deprecation")
    public static EventLoopGroup newEventLoop(ThreadFactory threads) {
        return Epoll.isAvailable() ? new EpollEventLoopGroup(1, threads) : new NioEventLoopGroup(1, threads);
    }

    /** Creates an executor with one profile for all destinations, on an event loop from {@link #newEventLoop}. */
    public HttpExecutor newExecutor(EventLoopGroup eventLoop, HttpSettings settings) {
        HttpProfile profile = HttpProfile.of(settings);
        return newExecutor(eventLoop, settings, host -> profile);
    }

    /**
     * Creates an executor on an event loop from {@link #newEventLoop}.
     *
     * @param profiles returns the connection profile for a host in canonical form; must be thread-safe
     */
    public HttpExecutor newExecutor(
            EventLoopGroup eventLoop, HttpSettings settings, Function<String, HttpProfile> profiles) {
        return new NettyHttpExecutor(
                eventLoop, timer, settings, profiles, policy, DnsResolvers.newResolverGroup(settings.dns()), null);
    }

    @Override
    public void close() {
        timer.stop();
    }
}
