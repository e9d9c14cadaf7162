package io.iocluster.http;

import io.iocluster.egress.AddressPolicy;
import io.iocluster.egress.CheckedAddressResolverGroup;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollDatagramChannel;
import io.netty.channel.epoll.EpollEventLoopGroup;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioDatagramChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.resolver.dns.DnsAddressResolverGroup;
import io.netty.resolver.dns.DnsNameResolverBuilder;
import io.netty.resolver.dns.DnsServerAddressStreamProvider;
import io.netty.resolver.dns.DnsServerAddressStreamProviders;
import io.netty.resolver.dns.NoopAuthoritativeDnsServerCache;
import io.netty.resolver.dns.NoopDnsCnameCache;
import io.netty.util.HashedWheelTimer;
import io.netty.util.Timer;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Makes event loops, and executors that run on them, all with one timer. For any thread.
 *
 * <p>Who makes an event loop shuts it down, after the executor on it is closed. Closing this stops the timer; close the
 * executors first, for without it their timeouts never pass.
 */
public final class HttpExecutors implements AutoCloseable {

    private static final int TICK_MILLIS = 10;
    private static final int DNS_TIMEOUT_MILLIS = 2_000;
    private static final int MOST_DNS_ENTRIES = 10_000;

    private final Supplier<AddressPolicy> addresses;
    private final Timer timer = new HashedWheelTimer(
            new DefaultThreadFactory("iocluster-http-timer", true), TICK_MILLIS, TimeUnit.MILLISECONDS);

    /** Asks for the address policy at each look-up, so that it may change while the node runs. */
    public HttpExecutors(Supplier<AddressPolicy> addresses) {
        this.addresses = addresses;
    }

    /** An event loop of one thread, as {@link #newExecutor} needs it. */
    // The replacement for both classes, MultiThreadIoEventLoopGroup, is one that the client refuses.
    @SuppressWarnings("deprecation")
    public static EventLoopGroup newEventLoop(ThreadFactory threads) {
        return Epoll.isAvailable() ? new EpollEventLoopGroup(1, threads) : new NioEventLoopGroup(1, threads);
    }

    /** An executor on an event loop that {@link #newEventLoop} made. */
    public HttpExecutor newExecutor(EventLoopGroup eventLoop, HttpSettings settings) {
        return new AsyncHttpExecutor(
                eventLoop, timer, settings, new CheckedAddressResolverGroup(dns(), addresses), null);
    }

    private static DnsAddressResolverGroup dns() {
        return dns(DnsServerAddressStreamProviders.platformDefault());
    }

    /** Looks names up without blocking, in the machine's hosts file first. */
    static DnsAddressResolverGroup dns(DnsServerAddressStreamProvider servers) {
        boolean epoll = Epoll.isAvailable();
        return new DnsAddressResolverGroup(new DnsNameResolverBuilder()
                .datagramChannelType(epoll ? EpollDatagramChannel.class : NioDatagramChannel.class)
                .socketChannelType(epoll ? EpollSocketChannel.class : NioSocketChannel.class)
                .nameServerProvider(servers)
                .queryTimeoutMillis(DNS_TIMEOUT_MILLIS)
                .resolveCache(new BoundedDnsCache(MOST_DNS_ENTRIES))
                .cnameCache(NoopDnsCnameCache.INSTANCE)
                .authoritativeDnsServerCache(NoopAuthoritativeDnsServerCache.INSTANCE));
    }

    @Override
    public void close() {
        timer.stop();
    }
}
