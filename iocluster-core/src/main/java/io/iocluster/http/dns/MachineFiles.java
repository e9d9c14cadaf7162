package io.iocluster.http.dns;

import io.iocluster.thread.NodeClock;
import io.netty.resolver.HostsFileEntriesProvider;
import io.netty.resolver.ResolvedAddressTypes;
import io.netty.resolver.dns.DefaultDnsServerAddressStreamProvider;
import io.netty.resolver.dns.DnsServerAddressStream;
import io.netty.resolver.dns.DnsServerAddressStreamProvider;
import io.netty.resolver.dns.UnixResolverDnsServerAddressStreamProvider;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The hosts file and the name servers of the machine, as they are now. Confined to one event loop, which calls
 * {@link #refresh} before each lookup.
 */
final class MachineFiles implements DnsServerAddressStreamProvider {

    private static final Path HOSTS = Path.of("/etc/hosts");
    private static final Path RESOLV_CONF = Path.of("/etc/resolv.conf");
    /** Name servers for single domains, on macOS. */
    private static final File RESOLVER_FOLDER = new File("/etc/resolver");

    private final WatchedFile<Hosts> hosts;
    /** Null until the file names a server. */
    private final WatchedFile<DnsServerAddressStreamProvider> servers;

    MachineFiles(Path hosts, Path resolvConf, NodeClock clock) {
        this.hosts = new WatchedFile<>(hosts, Hosts::read, Hosts.EMPTY, clock);
        this.servers = new WatchedFile<>(
                resolvConf,
                file -> new UnixResolverDnsServerAddressStreamProvider(file, RESOLVER_FOLDER.listFiles()),
                null,
                clock);
    }

    /** Reads the files of this machine. */
    static MachineFiles read(NodeClock clock) {
        return new MachineFiles(HOSTS, RESOLV_CONF, clock);
    }

    /** Reads changed files again. Returns whether the name servers changed, so that their answers may be others. */
    boolean refresh() {
        hosts.refresh();
        return servers.refresh();
    }

    /** Returns the addresses in the hosts file, those of the preferred family first; null if it does not have the name. */
    List<InetAddress> hosts(String name, ResolvedAddressTypes types) {
        String lower = name.toLowerCase(Locale.ROOT);
        List<InetAddress> ipv4 = hosts.value().ipv4.get(lower);
        List<InetAddress> ipv6 = hosts.value().ipv6.get(lower);
        return switch (types) {
            case IPV4_ONLY -> ipv4;
            case IPV6_ONLY -> ipv6;
            case IPV4_PREFERRED -> both(ipv4, ipv6);
            case IPV6_PREFERRED -> both(ipv6, ipv4);
        };
    }

    private static List<InetAddress> both(List<InetAddress> first, List<InetAddress> second) {
        if (first == null || second == null) {
            return first == null ? second : first;
        }
        List<InetAddress> both = new ArrayList<>(first);
        both.addAll(second);
        return both;
    }

    @Override
    public DnsServerAddressStream nameServerAddressStream(String hostname) {
        DnsServerAddressStreamProvider current = servers.value();
        return (current == null ? DefaultDnsServerAddressStreamProvider.INSTANCE : current)
                .nameServerAddressStream(hostname);
    }

    private record Hosts(Map<String, List<InetAddress>> ipv4, Map<String, List<InetAddress>> ipv6) {

        private static final Hosts EMPTY = new Hosts(Map.of(), Map.of());

        static Hosts read(File file) throws IOException {
            HostsFileEntriesProvider entries = HostsFileEntriesProvider.parser().parse(file, StandardCharsets.UTF_8);
            return new Hosts(entries.ipv4Entries(), entries.ipv6Entries());
        }
    }
}
