package io.iocluster.http.dns;

import io.iocluster.http.DnsSettings;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollDatagramChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.socket.nio.NioDatagramChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.resolver.dns.DnsAddressResolverGroup;
import io.netty.resolver.dns.DnsNameResolverBuilder;
import io.netty.resolver.dns.DnsServerAddressStreamProvider;
import io.netty.resolver.dns.DnsServerAddressStreamProviders;
import io.netty.resolver.dns.NoopAuthoritativeDnsServerCache;
import io.netty.resolver.dns.NoopDnsCnameCache;
import io.netty.resolver.dns.SequentialDnsServerAddressStreamProvider;
import java.util.List;

/** Creates non-blocking resolvers. They look in the machine's hosts file, then in the cache, then ask a name server. */
public final class DnsResolvers {

    private DnsResolvers() {}

    /** Returns resolvers for the executor of one event loop. They share no cache with other loops. */
    public static DnsAddressResolverGroup newResolverGroup(DnsSettings settings) {
        return new DnsAddressResolverGroup(configure(new DnsNameResolverBuilder(), settings));
    }

    /** Overrides everything in the machine's resolver configuration except its name servers. */
    static DnsNameResolverBuilder configure(DnsNameResolverBuilder builder, DnsSettings settings) {
        boolean epoll = Epoll.isAvailable();
        return builder.datagramChannelType(epoll ? EpollDatagramChannel.class : NioDatagramChannel.class)
                .socketChannelType(epoll ? EpollSocketChannel.class : NioSocketChannel.class)
                .nameServerProvider(servers(settings))
                // A name in a URL is absolute. With a search list, "kafka" would resolve to a service of the
                // node's own cluster.
                .searchDomains(List.of())
                .queryTimeoutMillis(settings.queryTimeout().toMillis())
                .resolveCache(new BoundedDnsCache(settings))
                .cnameCache(NoopDnsCnameCache.INSTANCE)
                .authoritativeDnsServerCache(NoopAuthoritativeDnsServerCache.INSTANCE);
    }

    private static DnsServerAddressStreamProvider servers(DnsSettings settings) {
        return settings.servers().isEmpty()
                ? DnsServerAddressStreamProviders.platformDefault()
                : new SequentialDnsServerAddressStreamProvider(settings.serverAddresses());
    }
}
