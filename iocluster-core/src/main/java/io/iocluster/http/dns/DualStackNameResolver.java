package io.iocluster.http.dns;

import io.iocluster.http.DnsSettings;
import io.iocluster.thread.NodeClock;
import io.netty.channel.EventLoop;
import io.netty.handler.codec.dns.DnsRecord;
import io.netty.resolver.InetNameResolver;
import io.netty.resolver.ResolvedAddressTypes;
import io.netty.resolver.dns.DnsCache;
import io.netty.resolver.dns.DnsCacheEntry;
import io.netty.resolver.dns.DnsNameResolver;
import io.netty.resolver.dns.DnsNameResolverBuilder;
import io.netty.resolver.dns.NoopDnsCache;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.Promise;
import io.netty.util.concurrent.ScheduledFuture;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Resolves a name to its IPv4 and IPv6 addresses: from the hosts file, the cache, or a name server. A name server that
 * does not answer for the second family delays the answer for the preferred one by 50 ms at most. The late answer is
 * cached for the next lookup. Confined to one event loop.
 */
final class DualStackNameResolver extends InetNameResolver {

    /** The Resolution Delay that RFC 8305 section 8 recommends. */
    private static final long RESOLUTION_DELAY_MILLIS = 50;

    private static final DnsRecord[] NO_RECORDS = {};

    private final EventLoop loop;
    private final MachineFiles files;
    private final NodeClock clock;
    private final BoundedDnsCache cache;
    private final DnsNameResolver dns;
    /** The lookups in progress, by name. */
    private final Map<String, Lookup> lookups = new HashMap<>();

    /** @param builder configured by {@link DnsResolvers#configure}; it is copied */
    DualStackNameResolver(
            EventLoop loop, DnsNameResolverBuilder builder, DnsSettings settings, MachineFiles files, NodeClock clock) {
        super(loop);
        this.loop = loop;
        this.files = files;
        this.clock = clock;
        this.cache = new BoundedDnsCache(settings);
        this.dns = builder.copy()
                .eventLoop(loop)
                .resolveCache(new AnswerListener())
                .build();
    }

    @Override
    protected void doResolve(String name, Promise<InetAddress> promise) {
        resolveAll(name).addListener((Future<List<InetAddress>> found) -> {
            if (found.isSuccess()) {
                promise.trySuccess(found.getNow().get(0));
            } else {
                promise.tryFailure(found.cause());
            }
        });
    }

    @Override
    protected void doResolveAll(String name, Promise<List<InetAddress>> promise) {
        if (!loop.inEventLoop()) {
            loop.execute(() -> doResolveAll(name, promise));
            return;
        }
        if (files.refresh()) {
            cache.clear();
        }
        List<InetAddress> local = files.hosts(name, dns.resolvedAddressTypes());
        if (local != null) {
            promise.trySuccess(local);
            return;
        }
        String key = BoundedDnsCache.key(name);
        Lookup running = lookups.get(key);
        if (running != null) {
            running.join(promise);
            return;
        }
        List<? extends DnsCacheEntry> cached = cache.get(key, NO_RECORDS);
        if (cached != null && !cached.isEmpty()) {
            answer(promise, cached);
            return;
        }
        Lookup lookup = new Lookup(key);
        lookup.join(promise);
        lookups.put(key, lookup);
        dns.resolveAll(name).addListener((Future<List<InetAddress>> found) -> {
            lookups.remove(key);
            lookup.finish(found);
        });
    }

    private static void answer(Promise<List<InetAddress>> promise, List<? extends DnsCacheEntry> cached) {
        Throwable cause = cached.get(0).cause();
        if (cause == null) {
            promise.trySuccess(cached.stream().map(DnsCacheEntry::address).toList());
        } else {
            promise.tryFailure(cause);
        }
    }

    /**
     * Returns whether the address is of the family that every lookup waits for, because a machine may have no route for
     * the other one.
     */
    private boolean isPreferred(InetAddress address) {
        ResolvedAddressTypes types = dns.resolvedAddressTypes();
        boolean ipv6 = types == ResolvedAddressTypes.IPV6_PREFERRED || types == ResolvedAddressTypes.IPV6_ONLY;
        return ipv6 ? address instanceof Inet6Address : address instanceof Inet4Address;
    }

    /** Closes the sockets. Lookups in progress fail. */
    @Override
    public void close() {
        dns.close();
    }

    /**
     * Gets each record of an answer before Netty's resolver has the answers for both families. Netty's own cache would
     * keep the addresses of one family after those of the other expired.
     */
    private final class AnswerListener implements DnsCache {

        @Override
        public List<? extends DnsCacheEntry> get(String name, DnsRecord[] additionals) {
            return null;
        }

        @Override
        public DnsCacheEntry cache(
                String name, DnsRecord[] additionals, InetAddress address, long ttl, EventLoop eventLoop) {
            Lookup lookup = lookups.get(BoundedDnsCache.key(name));
            if (lookup != null) {
                lookup.add(address, ttl);
            }
            return NoopDnsCache.INSTANCE.cache(name, additionals, address, ttl, eventLoop);
        }

        @Override
        public DnsCacheEntry cache(String name, DnsRecord[] additionals, Throwable cause, EventLoop eventLoop) {
            return cache.cache(name, additionals, cause, eventLoop);
        }

        @Override
        public void clear() {}

        @Override
        public boolean clear(String name) {
            return false;
        }
    }

    /** One lookup, for all callers that ask for the name in the meantime. */
    private final class Lookup {

        private final String name;
        private final List<Promise<List<InetAddress>>> waiting = new ArrayList<>();
        private final Set<InetAddress> found = new LinkedHashSet<>();
        private long expiresAtNanos = Long.MAX_VALUE;
        private ScheduledFuture<?> delay;
        private boolean delayOver;

        Lookup(String name) {
            this.name = name;
        }

        void join(Promise<List<InetAddress>> promise) {
            if (delayOver) {
                promise.trySuccess(sorted());
            } else {
                waiting.add(promise);
            }
        }

        void add(InetAddress address, long ttlSeconds) {
            found.add(address);
            expiresAtNanos = Math.min(expiresAtNanos, clock.nanos() + TimeUnit.SECONDS.toNanos(ttlSeconds));
            if (delay == null && isPreferred(address)) {
                delay = loop.schedule(this::onDelay, RESOLUTION_DELAY_MILLIS, TimeUnit.MILLISECONDS);
            }
        }

        private void onDelay() {
            delayOver = true;
            List<InetAddress> addresses = sorted();
            waiting.forEach(promise -> promise.trySuccess(addresses));
            waiting.clear();
        }

        /** Returns the addresses that have arrived, in the order in which they are cached and tried. */
        private List<InetAddress> sorted() {
            return alternate(found);
        }

        /** Alternates the families (RFC 8305, section 4), because only the first addresses are cached and tried. */
        private List<InetAddress> alternate(Collection<InetAddress> all) {
            return AddressFamilies.alternate(all, address -> address, DualStackNameResolver.this::isPreferred);
        }

        void finish(Future<List<InetAddress>> result) {
            if (delay != null) {
                delay.cancel(false);
            }
            if (result.isSuccess()) {
                long ttlNanos = Math.max(0, expiresAtNanos - clock.nanos());
                long ttl = ttlNanos / 1_000_000_000 + (ttlNanos % 1_000_000_000 == 0 ? 0 : 1);
                sorted().forEach(address -> cache.cache(name, NO_RECORDS, address, ttl, loop));
                List<InetAddress> addresses = alternate(result.getNow());
                waiting.forEach(promise -> promise.trySuccess(addresses));
            } else {
                waiting.forEach(promise -> promise.tryFailure(result.cause()));
            }
        }
    }
}
