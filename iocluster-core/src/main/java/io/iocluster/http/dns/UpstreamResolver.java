package io.iocluster.http.dns;

import io.iocluster.http.DnsSettings;
import io.iocluster.http.UpstreamAddress;
import io.iocluster.http.UpstreamName;
import io.iocluster.thread.NodeClock;
import io.netty.buffer.ByteBuf;
import io.netty.channel.EventLoop;
import io.netty.handler.codec.dns.DefaultDnsQuestion;
import io.netty.handler.codec.dns.DefaultDnsRecordDecoder;
import io.netty.handler.codec.dns.DnsRawRecord;
import io.netty.handler.codec.dns.DnsRecord;
import io.netty.handler.codec.dns.DnsRecordType;
import io.netty.resolver.AddressResolverGroup;
import io.netty.resolver.dns.DnsNameResolver;
import io.netty.resolver.dns.DnsNameResolverBuilder;
import io.netty.util.NetUtil;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.Future;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** Finds the upstreams behind a name in DNS. Confined to one event loop. */
public final class UpstreamResolver implements AutoCloseable {

    private final EventLoop loop;
    private final AddressResolverGroup<InetSocketAddress> addresses;
    private final DnsSettings settings;
    private final NodeClock clock;

    /** Created at the first lookup of a service, because few nodes need it. */
    private DnsNameResolver services;

    private MachineFiles files;

    /** @param addresses resolves the addresses of a host, and fails if one of them is not allowed; not closed */
    public UpstreamResolver(
            EventLoop loop, AddressResolverGroup<InetSocketAddress> addresses, DnsSettings settings, NodeClock clock) {
        this.loop = loop;
        this.addresses = addresses;
        this.settings = settings;
        this.clock = clock;
    }

    /** Returns the upstreams, at least one and at most {@code http.dns.max-addresses}. Fails if there is none. */
    public CompletableFuture<List<UpstreamAddress>> resolve(UpstreamName name) {
        return name instanceof UpstreamName.Service service
                ? resolveService(service.name())
                : resolveHost(((UpstreamName.Host) name).address());
    }

    private CompletableFuture<List<UpstreamAddress>> resolveHost(UpstreamAddress host) {
        return decodeWhenFound(
                host.host(),
                addresses.getResolver(loop).resolveAll(InetSocketAddress.createUnresolved(host.host(), host.port())),
                found -> found.stream()
                        .map(each -> new UpstreamAddress(NetUtil.toAddressString(each.getAddress()), host.port()))
                        .toList());
    }

    private CompletableFuture<List<UpstreamAddress>> resolveService(String name) {
        if (services == null) {
            files = MachineFiles.read(clock);
            services = DnsResolvers.configure(new DnsNameResolverBuilder(loop), settings, files)
                    .build();
        }
        files.refresh();
        return decodeWhenFound(
                name, services.resolveAll(new DefaultDnsQuestion(name, DnsRecordType.SRV)), UpstreamResolver::decode);
    }

    private <T> CompletableFuture<List<UpstreamAddress>> decodeWhenFound(
            String name, Future<List<T>> lookup, Function<List<T>, List<UpstreamAddress>> decoder) {
        CompletableFuture<List<UpstreamAddress>> upstreams = new CompletableFuture<>();
        lookup.addListener((Future<List<T>> found) -> {
            if (!found.isSuccess()) {
                upstreams.completeExceptionally(found.cause());
                return;
            }
            try {
                List<UpstreamAddress> decoded = decoder.apply(found.getNow()).stream()
                        .distinct()
                        .limit(settings.maxAddresses())
                        .toList();
                if (decoded.isEmpty()) {
                    throw new UnknownHostException("no records: " + name);
                }
                upstreams.complete(decoded);
            } catch (Exception notUsable) {
                upstreams.completeExceptionally(notUsable);
            }
        });
        return upstreams;
    }

    /** Returns the targets with the lowest priority, which are to be used first (RFC 2782), and releases the records. */
    private static List<UpstreamAddress> decode(List<DnsRecord> records) {
        try {
            int lowest = Integer.MAX_VALUE;
            List<UpstreamAddress> targets = new ArrayList<>();
            for (DnsRecord each : records) {
                if (each.type() != DnsRecordType.SRV || !(each instanceof DnsRawRecord raw)) {
                    continue;
                }
                ByteBuf content = raw.content().duplicate();
                int priority = content.readUnsignedShort();
                content.skipBytes(Short.BYTES); // The weight, because the node selects by calls in flight and latency.
                int port = content.readUnsignedShort();
                String target = DefaultDnsRecordDecoder.decodeName(content);
                if (priority < lowest) {
                    lowest = priority;
                    targets.clear();
                }
                // The target "." means that the service is not available.
                if (priority == lowest && !target.equals(".")) {
                    targets.add(UpstreamAddress.parse(withoutFinalDot(target) + ":" + port));
                }
            }
            return targets;
        } finally {
            records.forEach(ReferenceCountUtil::release);
        }
    }

    private static String withoutFinalDot(String name) {
        return name.endsWith(".") ? name.substring(0, name.length() - 1) : name;
    }

    @Override
    public void close() {
        if (services != null) {
            services.close();
        }
    }
}
