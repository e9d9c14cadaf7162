package io.iocluster.http.dns;

import io.iocluster.http.DnsSettings;
import io.netty.channel.EventLoop;
import io.netty.handler.codec.dns.DnsRecord;
import io.netty.resolver.dns.DefaultDnsCache;
import io.netty.resolver.dns.DnsCache;
import io.netty.resolver.dns.DnsCacheEntry;
import io.netty.resolver.dns.NoopDnsCache;
import java.net.InetAddress;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Caches lookups for their TTL, up to a maximum number of names, so that a sender with ever new names cannot fill the
 * node's memory. Evicts the least recently used name. Confined to one event loop.
 */
final class BoundedDnsCache implements DnsCache {

    private final DnsCache cache;
    private final long minTtl;
    private final int maxNames;
    private final int maxAddresses;
    /** In access order, the least recently used first. Expired names stay until they are evicted. */
    private final Map<String, Boolean> recentNames = new LinkedHashMap<>(16, 0.75f, true);

    BoundedDnsCache(DnsSettings settings) {
        this.cache = new DefaultDnsCache(
                seconds(settings.minTtl()), seconds(settings.maxTtl()), seconds(settings.negativeTtl()));
        this.minTtl = settings.minTtl().toSeconds();
        this.maxNames = settings.cacheSize();
        this.maxAddresses = settings.maxAddresses();
    }

    private static int seconds(Duration ttl) {
        return (int) ttl.toSeconds();
    }

    @Override
    public List<? extends DnsCacheEntry> get(String hostname, DnsRecord[] additionals) {
        List<? extends DnsCacheEntry> entries = cache.get(hostname, additionals);
        if (entries != null) {
            recentNames.get(key(hostname));
        }
        return entries;
    }

    @Override
    public DnsCacheEntry cache(
            String hostname, DnsRecord[] additionals, InetAddress address, long originalTtl, EventLoop loop) {
        List<? extends DnsCacheEntry> entries = cache.get(hostname, additionals);
        boolean full = entries != null && entries.size() >= maxAddresses;
        // Netty's cache copies all addresses of a name for each one that it adds, and removes one with a TTL of zero
        // only later.
        if (full || Math.max(minTtl, originalTtl) == 0) {
            return NoopDnsCache.INSTANCE.cache(hostname, additionals, address, originalTtl, loop);
        }
        DnsCacheEntry entry = cache.cache(hostname, additionals, address, originalTtl, loop);
        markUsed(hostname);
        return entry;
    }

    @Override
    public DnsCacheEntry cache(String hostname, DnsRecord[] additionals, Throwable cause, EventLoop loop) {
        DnsCacheEntry entry = cache.cache(hostname, additionals, cause, loop);
        markUsed(hostname);
        return entry;
    }

    private void markUsed(String hostname) {
        recentNames.put(key(hostname), Boolean.TRUE);
        if (recentNames.size() > maxNames) {
            String eldest = recentNames.keySet().iterator().next();
            recentNames.remove(eldest);
            cache.clear(eldest);
        }
    }

    /** Drops a trailing dot, because the name with the dot and the one without are the same. */
    static String key(String hostname) {
        return hostname.endsWith(".") ? hostname.substring(0, hostname.length() - 1) : hostname;
    }

    @Override
    public void clear() {
        recentNames.clear();
        cache.clear();
    }

    @Override
    public boolean clear(String hostname) {
        recentNames.remove(key(hostname));
        return cache.clear(hostname);
    }
}
