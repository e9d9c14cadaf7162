package io.iocluster.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class BoundedDnsCacheTest {

    @Test
    void forgetsEverythingRatherThanGrow() throws Exception {
        EventLoopGroup group = HttpExecutors.newEventLoop(new DefaultThreadFactory("test-loop", true));
        try {
            group.submit(() -> fill(group.next())).get(10, TimeUnit.SECONDS);
        } finally {
            group.shutdownGracefully(0, 1, TimeUnit.SECONDS);
        }
    }

    private static Void fill(EventLoop loop) throws UnknownHostException {
        BoundedDnsCache cache = new BoundedDnsCache(3);
        for (int i = 1; i <= 4; i++) {
            cache.cache("h" + i + ".example", null, InetAddress.getByName("1.1.1." + i), 60, loop);
            assertThat(cache.get("h1.example", null) != null).isEqualTo(i <= 3);
        }
        assertThat(cache.get("h4.example.", null)).isNotEmpty();
        return null;
    }
}
