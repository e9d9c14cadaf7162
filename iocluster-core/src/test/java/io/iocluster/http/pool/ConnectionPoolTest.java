package io.iocluster.http.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.iocluster.egress.Origin;
import io.iocluster.http.HttpExecutor.ConnectionStats;
import io.iocluster.http.HttpProfile;
import io.iocluster.http.HttpSettings;
import io.iocluster.http.client.server.TargetListener;
import io.iocluster.http.connect.ConnectThrottle;
import io.iocluster.http.connect.ConnectionProfile;
import io.iocluster.http.connect.Dial;
import io.iocluster.http.connect.DialFailure;
import io.iocluster.http.connect.DialTarget;
import io.iocluster.http.connect.Dialer;
import io.iocluster.http.connection.Exchange;
import io.iocluster.http.connection.ExchangeListener;
import io.iocluster.http.connection.HttpConnection;
import io.iocluster.http.connection.WireRequest;
import io.iocluster.message.ErrorCode;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.resolver.DefaultAddressResolverGroup;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests order, limits and timeouts of the pool with real sockets, connections without HTTP, and a clock that the test controls. */
@Timeout(60)
@SuppressWarnings("deprecation")
class ConnectionPoolTest {

    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final long IDLE_TIMEOUT = Duration.ofHours(20).toNanos();
    private static final long LIFETIME = Duration.ofHours(30).toNanos();

    private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 5 * SECOND); // Overflows during a test.
    private final EventLoopGroup group = new NioEventLoopGroup(1);
    private final EventLoop loop = group.next();
    private final TargetListener target = new TargetListener(connection -> {});
    private final Dialer dialer = new Dialer(
            loop,
            new Bootstrap().group(group).channel(NioSocketChannel.class),
            DefaultAddressResolverGroup.INSTANCE,
            DefaultAddressResolverGroup.INSTANCE,
            new ConnectThrottle(loop, 100),
            16,
            now::get);

    ConnectionPoolTest() throws InterruptedException {}

    @AfterEach
    void stop() {
        target.close();
        group.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
    }

    @Test
    void handsOutTheConnectionThatWasUsedLast() {
        ConnectionPool pool = pool(0, 3, 5);
        FakeConnection first = acquire(pool, "a");
        FakeConnection second = acquire(pool, "a");
        first.finish();
        second.finish();

        assertThat(acquire(pool, "a")).isSameAs(second);
        assertThat(acquire(pool, "a")).isSameAs(first);
        assertThat(acquire(pool, "b")).isNotIn(first, second);
    }

    @Test
    void usesAConnectionAgainInTheTurnInWhichItBecameIdle() {
        ConnectionPool pool = pool(0, 3, 5);
        FakeConnection connection = acquire(pool, "a");

        Result atOnce = onLoop(() -> {
            connection.becomeIdle();
            Result result = new Result();
            assertThat(pool.acquire(target("a"), false, false, result)).isNull();
            return result;
        });

        assertThat(atOnce.connection).isCompletedWithValue(connection);
    }

    @Test
    void readsOnceMoreBeforeARequestThatMustNotBeSentTwice() {
        ConnectionPool pool = pool(0, 3, 5);
        FakeConnection connection = acquire(pool, "a");

        Result later = onLoop(() -> {
            connection.becomeIdle();
            Result result = new Result();
            assertThat(pool.acquire(target("a"), false, true, result)).isNotNull();
            return result;
        });

        assertThat(later.await()).isSameAs(connection);
    }

    @Test
    void dialsIfTheVerifiedConnectionWasClosed() {
        ConnectionPool pool = pool(0, 3, 5);
        FakeConnection connection = acquire(pool, "a");
        connection.finish();

        Result later = onLoop(() -> {
            Result result = new Result();
            pool.acquire(target("a"), false, true, result);
            connection.close();
            return result;
        });

        assertThat(later.await()).isNotSameAs(connection);
        assertThat(pool.stats().active()).isEqualTo(1);
    }

    @Test
    void givesAVerifiedConnectionBackIfItsWaiterLeaves() {
        ConnectionPool pool = pool(0, 3, 5);
        FakeConnection connection = acquire(pool, "a");
        connection.finish();

        onLoop(() -> {
            pool.acquire(target("a"), false, true, new Result()).cancel();
            return null;
        });

        assertThat(pool.stats()).isEqualTo(new ConnectionStats(0, 1, 1));
        assertThat(acquire(pool, "a")).isSameAs(connection);
    }

    @Test
    void keepsTheHostWhileItsConnectionIsInUse() {
        ConnectionPool pool = pool(0, 3, 5);
        FakeConnection connection = acquire(pool, "a");
        connection.finish();
        acquire(pool, "a");
        assertThat(pool.stats()).isEqualTo(new ConnectionStats(1, 0, 1));

        connection.closeAndWait();

        assertThat(pool.stats()).isEqualTo(new ConnectionStats(0, 0, 0));
    }

    @Test
    void forgetsAnIdleConnectionThatTheTargetCloses() {
        ConnectionPool pool = pool(0, 3, 5);
        FakeConnection connection = acquire(pool, "a");
        connection.finish();

        target.close();

        await().untilAsserted(() -> assertThat(pool.stats()).isEqualTo(new ConnectionStats(0, 0, 0)));
        assertThat(connection.channel().isOpen()).isFalse();
    }

    @Test
    void closesTheOldestConnectionOfTheHostAtItsLimit() {
        ConnectionPool pool = pool(0, 3, 5);
        FakeConnection[] connections = {acquire(pool, "a"), acquire(pool, "a"), acquire(pool, "a"), acquire(pool, "a")};
        for (FakeConnection each : connections) {
            each.finish();
        }

        assertThat(connections[0].channel().isActive()).isFalse();
        assertThat(connections[1].channel().isActive()).isTrue();
        assertThat(pool.stats().idle()).isEqualTo(3);
    }

    @Test
    void closesConnectionsAfterTheIdleTimeout() {
        ConnectionPool pool = pool(0, 3, 5);
        FakeConnection old = acquire(pool, "a");
        old.finish();
        now.addAndGet(IDLE_TIMEOUT - 1);
        FakeConnection young = acquire(pool, "b");
        young.finish();
        sweep(pool);
        assertThat(old.channel().isActive()).isTrue();

        now.addAndGet(1);
        sweep(pool);

        assertThat(old.channel().isActive()).isFalse();
        assertThat(young.channel().isActive()).isTrue();
    }

    @Test
    void usesNoConnectionAfterItsLifetime() {
        ConnectionPool pool = pool(0, 3, 5);
        FakeConnection connection = acquire(pool, "a");
        now.addAndGet(LIFETIME - 1);
        connection.finish();
        assertThat(acquire(pool, "a")).isSameAs(connection);
        connection.finish();

        now.addAndGet(1);

        assertThat(acquire(pool, "a")).isNotSameAs(connection);
        assertThat(connection.channel().isActive()).isFalse();
    }

    @Test
    void drainsABusyConnectionAfterItsLifetime() {
        ConnectionPool pool = pool(0, 3, 5);
        FakeConnection connection = acquire(pool, "a");
        now.addAndGet(LIFETIME);
        sweep(pool);
        assertThat(connection.channel().isActive()).isTrue();

        assertThat(connection.isDraining()).isTrue();
    }

    @Test
    void drainsOnlyTheConnectionsOfMatchingKeys() {
        ConnectionPool pool = pool(0, 3, 5);
        FakeConnection idle = acquire(pool, "a");
        FakeConnection busy = acquire(pool, "a");
        FakeConnection other = acquire(pool, "b");
        idle.finish();
        other.finish();

        onLoop(() -> {
            pool.drain("a"::equals);
            return null;
        });

        assertThat(idle.channel().isActive()).isFalse();
        assertThat(busy.channel().isActive()).isTrue();
        assertThat(busy.isDraining()).isTrue();
        assertThat(other.isDraining()).isFalse();
    }

    @Test
    void failsAtOnceAtTheLimitOfConnectionsOfAHost() {
        ConnectionPool pool = pool(1, 3, 5);
        acquire(pool, "a");

        Result result = new Result();
        onLoop(() -> pool.acquire(target("a"), false, false, result));

        assertThat(result.failure.orTimeout(1, TimeUnit.MINUTES).join().code()).isEqualTo(ErrorCode.CONNECT_FAILED);
        assertThat(result.failure.join().message())
                .isEqualTo("http.connections-per-destination: all 1 connections of this worker are in use; raise the"
                        + " limit, or lower the destination's max-in-flight");
        assertThat(acquire(pool, "b").channel().isActive()).isTrue();
    }

    @Test
    void holdsNothingAfterItWasClosed() {
        ConnectionPool pool = pool(0, 3, 5);
        FakeConnection busy = acquire(pool, "a");
        acquire(pool, "b").finish();

        onLoop(() -> {
            pool.close();
            return null;
        });

        await().untilAsserted(() -> assertThat(pool.stats()).isEqualTo(new ConnectionStats(0, 0, 0)));
        assertThat(busy.channel().isActive()).isFalse();
        await().until(() -> target.openConnections() == 0);
    }

    private ConnectionPool pool(int connectionsPerHost, int idlePerHost, int idle) {
        return new ConnectionPool(
                loop,
                new PoolLimits(connectionsPerHost, idlePerHost, idle, IDLE_TIMEOUT, LIFETIME),
                dialer,
                (channel, http2) -> new FakeConnection(channel),
                now::get);
    }

    private DialTarget target(String key) {
        ConnectionProfile profile = new ConnectionProfile(HttpProfile.of(HttpSettings.DEFAULTS), null, null);
        return new DialTarget(key, new Origin("http", "127.0.0.1", target.port()), "127.0.0.1", target.port(), profile);
    }

    private FakeConnection acquire(ConnectionPool pool, String key) {
        Result result = new Result();
        onLoop(() -> pool.acquire(target(key), false, false, result));
        return result.await();
    }

    private void sweep(ConnectionPool pool) {
        onLoop(() -> {
            pool.sweep();
            return null;
        });
    }

    private <T> T onLoop(Callable<T> task) {
        return loop.submit(task).syncUninterruptibly().getNow();
    }

    /** Starts an exchange on its connection. */
    private static final class Result implements ConnectionWaiter {

        private final CompletableFuture<FakeConnection> connection = new CompletableFuture<>();
        private final CompletableFuture<DialFailure> failure = new CompletableFuture<>();

        @Override
        public void onConnection(HttpConnection acquired, Dial dial) {
            acquired.start(null, null);
            connection.complete((FakeConnection) acquired);
        }

        @Override
        public void onDialFailure(DialFailure reason, Dial dial) {
            failure.complete(reason);
        }

        private FakeConnection await() {
            return connection.orTimeout(1, TimeUnit.MINUTES).join();
        }
    }

    /** A connection that sends nothing. Its exchange ends when the test says so. */
    private final class FakeConnection extends HttpConnection {

        private boolean busy;

        private FakeConnection(Channel channel) {
            super(channel, now.get());
            channel.pipeline().addLast(new ChannelInboundHandlerAdapter() {
                @Override
                public void channelInactive(ChannelHandlerContext ctx) {
                    owner().onClosed();
                }
            });
        }

        private void becomeIdle() {
            busy = false;
            owner().onChange();
        }

        private void finish() {
            onLoop(() -> {
                becomeIdle();
                return null;
            });
        }

        private void closeAndWait() {
            onLoop(() -> {
                close();
                return null;
            });
            channel().closeFuture().syncUninterruptibly();
            onLoop(() -> null);
        }

        @Override
        public boolean isMultiplexed() {
            return false;
        }

        @Override
        public int openExchanges() {
            return busy ? 1 : 0;
        }

        @Override
        public int startedExchanges() {
            return 0;
        }

        @Override
        public boolean hasFreeStream() {
            return !busy;
        }

        @Override
        public Exchange start(WireRequest request, ExchangeListener listener) {
            busy = true;
            return () -> {};
        }
    }
}
