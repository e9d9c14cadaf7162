package io.iocluster.http.connect;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
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
