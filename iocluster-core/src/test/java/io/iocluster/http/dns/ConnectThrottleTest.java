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

    private static final InetSocketAddress TARGET = InetSocketAddress.createUnresolved("a.example", 443);
    private static final InetSocketAddress OTHER_TARGET = InetSocketAddress.createUnresolved("b.example", 443);

    private final Queue<Runnable> loop = new ArrayDeque<>();
    private final List<String> opened = new ArrayList<>();
    private final ConnectThrottle throttle = new ConnectThrottle(loop::add, 2);

    @Test
    void limitsConcurrentConnectsAndRunsTheOthersInOrder() {
        acquire(TARGET, "1", "2", "3", "4");
        assertThat(opened).containsExactly("1", "2");

        throttle.release(TARGET);
        runLoop();
        assertThat(opened).containsExactly("1", "2", "3");

        throttle.release(TARGET);
        runLoop();
        assertThat(opened).containsExactly("1", "2", "3", "4");
    }

    @Test
    void limitsEachAddressSeparately() {
        acquire(TARGET, "1", "2", "3");
        acquire(OTHER_TARGET, "4");
        assertThat(opened).containsExactly("1", "2", "4");
    }

    @Test
    void ignoresTheCaseOfAHost() {
        acquire(TARGET, "1", "2");
        acquire(InetSocketAddress.createUnresolved("A.example", 443), "3");
        assertThat(opened).containsExactly("1", "2");
    }

    @Test
    void runsAThousandShortTasksWithoutNesting() {
        acquire(TARGET, "1", "2");
        for (int i = 0; i < 1000; i++) {
            throttle.acquire(TARGET, () -> throttle.release(TARGET));
        }
        throttle.release(TARGET);
        assertThat(loop).hasSize(1);
        runLoop();
        throttle.release(TARGET);
        assertThat(throttle.targetCount()).isZero();
    }

    @Test
    void removesAnAddressWithoutOpenPermits() {
        acquire(TARGET, "1");
        acquire(OTHER_TARGET, "2");
        throttle.release(TARGET);
        assertThat(throttle.targetCount()).isEqualTo(1);
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
        try (var group = new ThrottledResolverGroup(throttle, resolvers, 16)) {
            assertThat(group.getResolver(ImmediateEventExecutor.INSTANCE)
                            .resolveAll(TARGET)
                            .get())
                    .isEqualTo(thousands.subList(0, 16));
        }
    }

    private void acquire(InetSocketAddress address, String... names) {
        for (String name : names) {
            throttle.acquire(address, () -> opened.add(name));
        }
    }

    private void runLoop() {
        while (!loop.isEmpty()) {
            loop.remove().run();
        }
    }
}
