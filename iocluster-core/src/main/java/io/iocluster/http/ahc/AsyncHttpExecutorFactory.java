package io.iocluster.http.ahc;

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
 * Makes event loops, and executors that run on them, all with one timer. For any thread.
 *
 * <p>Who makes an event loop shuts it down, after the executor on it is closed. Closing this stops the timer; close the
 * executors first, for without it their timeouts never pass.
 */
public final class AsyncHttpExecutorFactory implements AutoCloseable {

    private static final int TICK_MILLIS = 10;

    private final Supplier<EgressPolicy> policy;
    private final Timer timer = new HashedWheelTimer(
            new DefaultThreadFactory("iocluster-http-timer", true), TICK_MILLIS, TimeUnit.MILLISECONDS);

    /** Asks for the policy at each attempt and at each look-up, so that it may change while the node runs. */
    public AsyncHttpExecutorFactory(Supplier<EgressPolicy> policy) {
        this.policy = policy;
    }

    /** An event loop of one thread, as {@link #newExecutor} needs it. */
    // The replacement for both classes, MultiThreadIoEventLoopGroup, is one that the client refuses.
    @SuppressWarnings("deprecation")
    public static EventLoopGroup newEventLoop(ThreadFactory threads) {
        return Epoll.isAvailable() ? new EpollEventLoopGroup(1, threads) : new NioEventLoopGroup(1, threads);
    }

    /** An executor on an event loop that {@link #newEventLoop} made, which treats all destinations alike. */
    public HttpExecutor newExecutor(EventLoopGroup eventLoop, HttpSettings settings) {
        HttpProfile profile = HttpProfile.of(settings);
        return newExecutor(eventLoop, settings, host -> profile);
    }

    /**
     * An executor on an event loop that {@link #newEventLoop} made.
     *
     * @param profiles says for a host in canonical spelling how connections to it are made; called on any thread
     */
    public HttpExecutor newExecutor(
            EventLoopGroup eventLoop, HttpSettings settings, Function<String, HttpProfile> profiles) {
        return new AsyncHttpExecutor(
                eventLoop, timer, settings, profiles, policy, DnsResolvers.newResolverGroup(settings.dns()), null);
    }

    @Override
    public void close() {
        timer.stop();
    }
}
