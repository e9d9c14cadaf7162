package io.iocluster.http.client;

import io.iocluster.egress.EgressPolicy;
import io.iocluster.http.HttpExecutor;
import io.iocluster.http.HttpProfile;
import io.iocluster.http.HttpSettings;
import io.iocluster.http.dns.DnsResolvers;
import io.iocluster.thread.NodeClock;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollEventLoopGroup;
import io.netty.channel.nio.NioEventLoopGroup;
import java.util.concurrent.ThreadFactory;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Creates event loops and the executors that run on them. Thread-safe. The caller that creates an event loop shuts it down after it closed the
 * executor.
 */
public final class NettyHttpExecutorFactory {

    private final Supplier<EgressPolicy> policy;
    private final NodeClock clock;

    /** Reads the policy at each attempt and each lookup, so that it can change while the node runs. */
    public NettyHttpExecutorFactory(Supplier<EgressPolicy> policy, NodeClock clock) {
        this.policy = policy;
        this.clock = clock;
    }

    /** Creates an event loop with one thread, as {@link #newExecutor} requires. */
    // The replacement for both classes does not say which transport it has.
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
                eventLoop,
                settings,
                profiles,
                policy,
                DnsResolvers.newResolverGroup(settings.dns(), clock),
                null,
                clock);
    }
}
