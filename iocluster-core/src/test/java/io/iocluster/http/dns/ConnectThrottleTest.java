package io.iocluster.http.dns;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.resolver.AbstractAddressResolver;
import io.netty.resolver.AddressResolver;
import io.netty.resolver.AddressResolverGroup;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.ImmediateEventExecutor;
import io.netty.util.concurrent.Promise;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ConnectThrottleTest {

    private static final InetSocketAddress HERE = InetSocketAddress.createUnresolved("a.example", 443);
    private static final InetSocketAddress THERE = InetSocketAddress.createUnresolved("b.example", 443);

    private final Queue<Runnable> loop = new ArrayDeque<>();
    private final List<String> opened = new ArrayList<>();
    private final ConnectThrottle turns = new ConnectThrottle(loop::add, 2);

    @Test
    void letsNoMoreThanTheLimitOpenAtOnceAndTheOthersInTheirOrder() {
        take(HERE, "1", "2", "3", "4");
        assertThat(opened).containsExactly("1", "2");

        turns.release(HERE);
        runLoop();
        assertThat(opened).containsExactly("1", "2", "3");

        turns.release(HERE);
        runLoop();
        assertThat(opened).containsExactly("1", "2", "3", "4");
    }

    @Test
    void letsOnePlaceNotWaitForAnother() {
        take(HERE, "1", "2", "3");
        take(THERE, "4");
        assertThat(opened).containsExactly("1", "2", "4");
    }

    @Test
    void takesTheSpellingOfAHostForTheSamePlaceInAnyCase() {
        take(HERE, "1", "2");
        take(InetSocketAddress.createUnresolved("A.example", 443), "3");
        assertThat(opened).containsExactly("1", "2");
    }

    @Test
    void passesAThousandTurnsOnThatEndAtOnceWithoutNestingThem() {
        take(HERE, "1", "2");
        for (int i = 0; i < 1000; i++) {
            turns.acquire(HERE, () -> turns.release(HERE));
        }
        turns.release(HERE);
        assertThat(loop).hasSize(1);
        runLoop();
        turns.release(HERE);
        assertThat(turns.targetCount()).isZero();
    }

    @Test
    void forgetsAPlaceWhereNothingIsBeingOpened() {
        take(HERE, "1");
        take(THERE, "2");
        turns.release(HERE);
        assertThat(turns.targetCount()).isEqualTo(1);
    }

    @Test
    void passesOnOnlyTheFirstAddressesOfANameThatHasThousands() throws Exception {
        List<InetSocketAddress> thousands = IntStream.range(1_000, 4_000)
                .mapToObj(port -> new InetSocketAddress(InetAddress.getLoopbackAddress(), port))
                .toList();
        AddressResolverGroup<InetSocketAddress> resolvers = new AddressResolverGroup<>() {
            @Override
            protected AddressResolver<InetSocketAddress> newResolver(EventExecutor executor) {
                return new AbstractAddressResolver<>(executor, InetSocketAddress.class) {
                    @Override
                    protected boolean doIsResolved(InetSocketAddress address) {
                        return false;
                    }

                    @Override
                    protected void doResolve(InetSocketAddress address, Promise<InetSocketAddress> promise) {
                        promise.setSuccess(thousands.get(0));
                    }

                    @Override
                    protected void doResolveAll(InetSocketAddress address, Promise<List<InetSocketAddress>> promise) {
                        promise.setSuccess(thousands);
                    }
                };
            }
        };
        try (var group = new ThrottledResolverGroup(turns, resolvers, 16)) {
            assertThat(group.getResolver(ImmediateEventExecutor.INSTANCE)
                            .resolveAll(HERE)
                            .get())
                    .isEqualTo(thousands.subList(0, 16));
        }
    }

    private void take(InetSocketAddress place, String... names) {
        for (String name : names) {
            turns.acquire(place, () -> opened.add(name));
        }
    }

    private void runLoop() {
        while (!loop.isEmpty()) {
            loop.remove().run();
        }
    }
}
