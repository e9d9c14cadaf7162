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
 * Remembers look-ups for their time to live, and only so many: who sends ever new names must not fill the node's memory.
 * Where there is no room, the name that was not asked for the longest time is forgotten. Confined to one event loop.
 */
final class BoundedDnsCache implements DnsCache {

    private final DnsCache cache;
    private final int most;
    private final int maxAddresses;
    /** In the order of their use. What has expired is in it until its turn comes. */
    private final Map<String, Boolean> names = new LinkedHashMap<>(16, 0.75f, true);

    BoundedDnsCache(DnsSettings settings) {
        this.cache = new DefaultDnsCache(
                seconds(settings.minTtl()), seconds(settings.maxTtl()), seconds(settings.negativeTtl()));
        this.most = settings.cacheSize();
        this.maxAddresses = settings.maxAddresses();
    }

    private static int seconds(Duration ttl) {
        return (int) ttl.toSeconds();
    }

    @Override
    public List<? extends DnsCacheEntry> get(String hostname, DnsRecord[] additionals) {
        List<? extends DnsCacheEntry> entries = cache.get(hostname, additionals);
        if (entries != null) {
            names.get(key(hostname));
        }
        return entries;
    }

    @Override
    public DnsCacheEntry cache(
            String hostname, DnsRecord[] additionals, InetAddress address, long originalTtl, EventLoop loop) {
        List<? extends DnsCacheEntry> entries = cache.get(hostname, additionals);
        if (entries != null && entries.size() >= maxAddresses) {
            // Netty's cache copies all addresses of a name to add one.
            return NoopDnsCache.INSTANCE.cache(hostname, additionals, address, originalTtl, loop);
        }
        DnsCacheEntry entry = cache.cache(hostname, additionals, address, originalTtl, loop);
        used(hostname);
        return entry;
    }

    @Override
    public DnsCacheEntry cache(String hostname, DnsRecord[] additionals, Throwable cause, EventLoop loop) {
        DnsCacheEntry entry = cache.cache(hostname, additionals, cause, loop);
        used(hostname);
        return entry;
    }

    private void used(String hostname) {
        names.put(key(hostname), Boolean.TRUE);
        if (names.size() > most) {
            String eldest = names.keySet().iterator().next();
            names.remove(eldest);
            cache.clear(eldest);
        }
    }

    /** A name with its final dot and one without are the same. */
    private static String key(String hostname) {
        return hostname.endsWith(".") ? hostname.substring(0, hostname.length() - 1) : hostname;
    }

    @Override
    public void clear() {
        names.clear();
        cache.clear();
    }

    @Override
    public boolean clear(String hostname) {
        names.remove(key(hostname));
        return cache.clear(hostname);
    }
}
