package io.iocluster.http.dns;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.iocluster.http.DnsSettings;
import io.iocluster.http.client.NettyHttpExecutorFactory;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.resolver.dns.DnsCacheEntry;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class BoundedDnsCacheTest {

    private final EventLoopGroup group =
            NettyHttpExecutorFactory.newEventLoop(new DefaultThreadFactory("test-loop", true));
    private final EventLoop loop = group.next();

    @AfterEach
    void shutDown() {
        group.shutdownGracefully(0, 1, TimeUnit.SECONDS);
    }

    @Test
    void evictsTheLeastRecentlyUsedName() throws Exception {
        onLoop(() -> {
            BoundedDnsCache cache = cache(3, 0, 60, 1);
            for (int i = 1; i <= 3; i++) {
                put(cache, "h" + i + ".example", "1.1.1." + i, 60);
            }
            assertThat(cache.get("h1.example.", null)).isNotEmpty();
            put(cache, "h4.example.", "1.1.1.4", 60);
            assertThat(cache.get("h1.example", null)).isNotEmpty();
            assertThat(cache.get("h2.example", null)).isNull();
            assertThat(cache.get("h3.example", null)).isNotEmpty();
            assertThat(cache.get("h4.example", null)).isNotEmpty();
            return null;
        });
    }

    @Test
    void countsAllAddressesOfANameAsOneEntry() throws Exception {
        onLoop(() -> {
            BoundedDnsCache cache = cache(1, 0, 60, 1);
            for (int i = 1; i <= 9; i++) {
                put(cache, "h.example", "1.1.1." + i, 60);
            }
            assertThat(cache.get("h.example", null)).hasSize(9);
            return null;
        });
    }

    @Test
    void cachesOnlyTheFirstAddressesOfANameThatHasThousands() throws Exception {
        onLoop(() -> {
            BoundedDnsCache cache = cache(2, 0, 60, 1);
            for (int i = 0; i < 4_000; i++) {
                put(cache, "many.example.", "1.1." + i / 250 + "." + i % 250, 60);
            }
            assertThat(cache.get("many.example", null)).hasSize(16);
            put(cache, "few.example", "1.1.1.1", 60);
            assertThat(cache.get("few.example", null)).hasSize(1);
            return null;
        });
    }

    @Test
    void cachesNothingWithSizeZero() throws Exception {
        onLoop(() -> {
            BoundedDnsCache cache = cache(0, 0, 60, 1);
            put(cache, "h.example", "1.1.1.1", 60);
            assertThat(cache.get("h.example", null)).isNull();
            return null;
        });
    }

    @Test
    void expiresANameAfterItsTtl() throws Exception {
        BoundedDnsCache cache = cache(3, 0, 60, 60);
        onLoop(() -> put(cache, "short.example", "1.1.1.1", 2));
        onLoop(() -> put(cache, "long.example", "1.1.1.2", 60));

        assertThat(get(cache, "short.example")).isNotEmpty();
        await().until(() -> get(cache, "short.example") == null);
        assertThat(get(cache, "long.example")).isNotEmpty();
    }

    @Test
    void limitsTheTtlToTheConfiguredRange() throws Exception {
        BoundedDnsCache cache = cache(3, 60, 60, 60);
        onLoop(() -> put(cache, "zero.example", "1.1.1.1", 0));
        BoundedDnsCache shortLived = cache(3, 0, 1, 60);
        onLoop(() -> put(shortLived, "day.example", "1.1.1.1", 86_400));

        await().until(() -> get(shortLived, "day.example") == null);
        assertThat(get(cache, "zero.example")).isNotEmpty();
    }

    @Test
    void cachesThatANameDoesNotExist() throws Exception {
        BoundedDnsCache cache = cache(3, 0, 60, 2);
        onLoop(() -> cache.cache("missing.example", null, new UnknownHostException("missing.example"), loop));

        assertThat(get(cache, "missing.example"))
                .singleElement()
                .satisfies(entry -> assertThat(entry.cause()).isInstanceOf(UnknownHostException.class));
        await().until(() -> get(cache, "missing.example") == null);
    }

    private List<? extends DnsCacheEntry> get(BoundedDnsCache cache, String host) throws Exception {
        return onLoop(() -> cache.get(host, null));
    }

    private DnsCacheEntry put(BoundedDnsCache cache, String host, String address, long ttl)
            throws UnknownHostException {
        return cache.cache(host, null, InetAddress.getByName(address), ttl, loop);
    }

    private <T> T onLoop(Callable<T> task) throws Exception {
        return loop.submit(task).get(1, TimeUnit.MINUTES);
    }

    private static BoundedDnsCache cache(int size, int minTtl, int maxTtl, int negativeTtl) {
        return new BoundedDnsCache(new DnsSettings(
                List.of(),
                Duration.ofSeconds(2),
                size,
                16,
                Duration.ofSeconds(minTtl),
                Duration.ofSeconds(maxTtl),
                Duration.ofSeconds(negativeTtl)));
    }
}
