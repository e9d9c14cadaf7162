package io.iocluster.http.client.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.Channel;
import io.netty.channel.DefaultEventLoop;
import io.netty.channel.embedded.EmbeddedChannel;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.asynchttpclient.channel.ChannelPool;
import org.asynchttpclient.netty.channel.Http2ConnectionState;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests limits, timeouts and order of the pool with a clock that the test controls. */
class ConnectionPoolTest {

    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    // Its sweep does not run within a test; the tests call closeExpired.
    private final DefaultEventLoop loop = new DefaultEventLoop();
    private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 5 * SECOND); // Overflows during a test.
    private final IdleLimits limits = new IdleLimits(
            3, 5, Duration.ofHours(20).toNanos(), Duration.ofHours(30).toNanos());
    private final IdleConnections idle = new IdleConnections(loop, limits, now::get);
    private final ChannelPool pool = idle.newPool();

    @AfterEach
    void stopTheLoop() {
        loop.shutdownGracefully(0, 1, TimeUnit.SECONDS);
    }

    @Test
    void returnsTheConnectionThatWasUsedLast() {
        Channel first = offer("a");
        Channel second = offer("a");

        assertThat(pool.poll("a")).isSameAs(second);
        assertThat(pool.poll("a")).isSameAs(first);
        assertThat(pool.poll("a")).isNull();
        assertThat(pool.poll("b")).isNull();
        assertThat(idle.size()).isZero();
    }

    @Test
    void keepsTheHostWhileItsConnectionIsInUse() {
        Channel connection = offer("a");
        pool.poll("a");
        assertThat(idle.hosts()).isEqualTo(1);

        connection.close();

        assertThat(idle.hosts()).isZero();
    }

    @Test
    void forgetsAnIdleConnectionThatTheTargetCloses() {
        Channel connection = offer("a");

        connection.close();

        assertThat(idle.hosts()).isZero();
        assertThat(idle.size()).isZero();
        assertThat(pool.poll("a")).isNull();
    }

    @Test
    void ignoresASecondOfferOfAnIdleConnection() {
        Channel connection = offer("a");

        assertThat(pool.offer(connection, "a")).isTrue();

        assertThat(idle.size()).isEqualTo(1);
        assertThat(pool.poll("a")).isSameAs(connection);
        assertThat(pool.poll("a")).isNull();
    }

    @Test
    void refusesAClosedConnection() {
        Channel connection = new EmbeddedChannel();
        connection.close();

        assertThat(pool.offer(connection, "a")).isFalse();

        assertThat(idle.hosts()).isZero();
    }

    @Test
    void closesTheOldestConnectionOfTheHostAtItsLimit() {
        Channel oldest = offer("a");
        Channel next = offer("a");
        offer("a");
        offer("a");

        assertThat(oldest.isActive()).isFalse();
        assertThat(next.isActive()).isTrue();
        assertThat(idle.size()).isEqualTo(3);
    }

    @Test
    void closesTheLeastRecentlyUsedConnectionOfAllHostsAndClients() {
        Channel used = offer("a");
        Channel oldest = offer("b");
        ChannelPool otherClient = idle.newPool();
        otherClient.offer(new EmbeddedChannel(), "a");
        pool.poll("a");
        pool.offer(used, "a");
        offer("c");
        offer("d");

        otherClient.offer(new EmbeddedChannel(), "e");

        assertThat(oldest.isActive()).isFalse();
        assertThat(used.isActive()).isTrue();
        assertThat(idle.size()).isEqualTo(5);
        assertThat(idle.hosts()).isEqualTo(5);
    }

    @Test
    void keepsTheConnectionsOfClientsApart() {
        offer("a");

        assertThat(idle.newPool().poll("a")).isNull();
    }

    @Test
    void closesConnectionsAfterTheIdleTimeout() {
        Channel old = offer("a");
        now.addAndGet(limits.idleTimeoutNanos() - 1);
        Channel young = offer("b");
        idle.closeExpired();
        assertThat(old.isActive()).isTrue();

        now.addAndGet(1);
        idle.closeExpired();

        assertThat(old.isActive()).isFalse();
        assertThat(young.isActive()).isTrue();
        assertThat(idle.hosts()).isEqualTo(1);
    }

    @Test
    void refusesAConnectionAfterItsLifetime() {
        Channel connection = offer("a");
        now.addAndGet(limits.lifetimeNanos() - 1);
        pool.poll("a");
        assertThat(pool.offer(connection, "a")).isTrue();
        pool.poll("a");

        now.addAndGet(1);

        assertThat(pool.offer(connection, "a")).isFalse();
    }

    @Test
    void closesAnIdleConnectionAfterItsLifetime() {
        Channel connection = offer("a");
        now.addAndGet(limits.lifetimeNanos() - 1);
        pool.poll("a");
        pool.offer(connection, "a");

        now.addAndGet(1);
        idle.closeExpired();

        assertThat(connection.isActive()).isFalse();
    }

    @Test
    void keepsAnHttp2ConnectionWithOpenStreamsWhenItClosesAnother() {
        EmbeddedChannel busy = http2(1);
        EmbeddedChannel free = http2(0);
        idle.trackIfHttp2(busy);
        idle.trackIfHttp2(free);
        offer("a");
        offer("b");
        offer("c");

        offer("d");

        assertThat(busy.isActive()).isTrue();
        assertThat(free.isActive()).isFalse();
        now.addAndGet(limits.idleTimeoutNanos());
        idle.closeExpired();
        assertThat(busy.isActive()).isTrue();
        assertThat(idle.size()).isEqualTo(1);
    }

    @Test
    void flushesTheMatchingHostsOnly() {
        Channel matching = offer("a");
        Channel inUse = offer("a");
        Channel other = offer("b");
        assertThat(pool.poll("a")).isSameAs(inUse);

        pool.flushPartitions("a"::equals);

        assertThat(matching.isActive()).isFalse();
        assertThat(inUse.isActive()).isTrue();
        assertThat(other.isActive()).isTrue();
        assertThat(idle.hosts()).isEqualTo(2);
    }

    @Test
    void holdsNothingAfterItWasDestroyed() {
        Channel connection = offer("a");
        Channel ofOtherClient = new EmbeddedChannel();
        idle.newPool().offer(ofOtherClient, "a");

        pool.destroy();

        assertThat(pool.isOpen()).isFalse();
        assertThat(pool.offer(connection, "a")).isFalse();
        assertThat(idle.size()).isEqualTo(1);
        connection.close();
        assertThat(idle.hosts()).isEqualTo(1);
    }

    private Channel offer(String key) {
        Channel connection = new EmbeddedChannel();
        assertThat(pool.offer(connection, key)).isTrue();
        return connection;
    }

    private static EmbeddedChannel http2(int streams) {
        EmbeddedChannel connection = new EmbeddedChannel();
        Http2ConnectionState state = new Http2ConnectionState();
        for (int i = 0; i < streams; i++) {
            state.tryAcquireStream();
        }
        connection.attr(Http2ConnectionState.HTTP2_STATE_KEY).set(state);
        return connection;
    }
}
