package io.iocluster.http.dns;

import io.iocluster.http.DnsSettings;
import io.iocluster.thread.NodeClock;
import io.netty.channel.EventLoop;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollDatagramChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.socket.nio.NioDatagramChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.resolver.AddressResolver;
import io.netty.resolver.AddressResolverGroup;
import io.netty.resolver.dns.DnsNameResolverBuilder;
import io.netty.resolver.dns.NoopAuthoritativeDnsServerCache;
import io.netty.resolver.dns.NoopDnsCnameCache;
import io.netty.resolver.dns.SequentialDnsServerAddressStreamProvider;
import io.netty.util.concurrent.EventExecutor;
import java.net.InetSocketAddress;
import java.util.List;

/** Creates non-blocking resolvers. They look in the machine's hosts file, then in the cache, then ask a name server. */
public final class DnsResolvers {

    private DnsResolvers() {}

    /** Returns resolvers that share nothing with other event loops. Changes of the machine's files apply within seconds. */
    public static AddressResolverGroup<InetSocketAddress> newResolverGroup(DnsSettings settings, NodeClock clock) {
        return newResolverGroup(new DnsNameResolverBuilder(), settings, MachineFiles.read(clock), clock);
    }

    static AddressResolverGroup<InetSocketAddress> newResolverGroup(
            DnsNameResolverBuilder builder, DnsSettings settings, MachineFiles files, NodeClock clock) {
        configure(builder, settings, files);
        return new AddressResolverGroup<>() {

            @Override
            protected AddressResolver<InetSocketAddress> newResolver(EventExecutor loop) {
                return new DualStackNameResolver((EventLoop) loop, builder, settings, files, clock).asAddressResolver();
            }
        };
    }

    /** Overrides everything in the machine's resolver configuration except its name servers. */
    static DnsNameResolverBuilder configure(DnsNameResolverBuilder builder, DnsSettings settings, MachineFiles files) {
        boolean epoll = Epoll.isAvailable();
        return builder.datagramChannelType(epoll ? EpollDatagramChannel.class : NioDatagramChannel.class)
                // For answers that do not fit into a datagram.
                .socketChannelType(epoll ? EpollSocketChannel.class : NioSocketChannel.class)
                .nameServerProvider(
                        settings.servers().isEmpty()
                                ? files
                                : new SequentialDnsServerAddressStreamProvider(settings.serverAddresses()))
                // MachineFiles has the hosts file. Netty would read it once.
                .hostsFileEntriesResolver((name, types) -> null)
                // A name in a URL is absolute. With a search list, "kafka" would resolve to a service of the
                // node's own cluster.
                .searchDomains(List.of())
                // Java would decode a name as IDNA 2003 does, to the name of another host.
                .decodeIdn(false)
                .queryTimeoutMillis(settings.queryTimeout().toMillis())
                .cnameCache(NoopDnsCnameCache.INSTANCE)
                .authoritativeDnsServerCache(NoopAuthoritativeDnsServerCache.INSTANCE);
    }
}
