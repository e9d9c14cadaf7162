package io.iocluster.http;

import io.netty.channel.EventLoop;
import io.netty.handler.codec.dns.DnsRecord;
import io.netty.resolver.dns.DefaultDnsCache;
import io.netty.resolver.dns.DnsCache;
import io.netty.resolver.dns.DnsCacheEntry;
import java.net.InetAddress;
import java.util.List;

/**
 * Caches look-ups for their time to live, and forgets all of them after a number of new ones: who sends ever new names must
 * not fill the node's memory. Confined to one event loop.
 */
final class BoundedDnsCache implements DnsCache {

    private static final int LONGEST_TTL_SECONDS = 60;
    private static final int NEGATIVE_TTL_SECONDS = 1;

    private final DnsCache cache = new DefaultDnsCache(0, LONGEST_TTL_SECONDS, NEGATIVE_TTL_SECONDS);
    private final int most;
    private int added;

    BoundedDnsCache(int most) {
        this.most = most;
    }

    @Override
    public List<? extends DnsCacheEntry> get(String hostname, DnsRecord[] additionals) {
        return cache.get(hostname, additionals);
    }

    @Override
    public DnsCacheEntry cache(
            String hostname, DnsRecord[] additionals, InetAddress address, long originalTtl, EventLoop loop) {
        makeRoom();
        return cache.cache(hostname, additionals, address, originalTtl, loop);
    }

    @Override
    public DnsCacheEntry cache(String hostname, DnsRecord[] additionals, Throwable cause, EventLoop loop) {
        makeRoom();
        return cache.cache(hostname, additionals, cause, loop);
    }

    @Override
    public void clear() {
        added = 0;
        cache.clear();
    }

    @Override
    public boolean clear(String hostname) {
        return cache.clear(hostname);
    }

    private void makeRoom() {
        added++;
        if (added > most) {
            clear();
            added = 1;
        }
    }
}
