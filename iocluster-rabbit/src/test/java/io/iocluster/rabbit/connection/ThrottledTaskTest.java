package io.iocluster.rabbit.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.iocluster.thread.Platform;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class ThrottledTaskTest {

    @AutoClose
    private final EventLoopThread loop = new EventLoopThread("test", Platform.system());

    private final AtomicInteger runs = new AtomicInteger();

    @Test
    void runsTheFirstRequestAtOnce() {
        ThrottledTask task =
                new ThrottledTask(loop, Platform.system(), Duration.ofHours(1).toNanos(), runs::incrementAndGet);

        task.request();

        await().until(() -> runs.get() == 1);
    }

    @Test
    void runsOnceForAllRequestsOfAnInterval() {
        Duration interval = Duration.ofMillis(500);
        AtomicLong latestRun = new AtomicLong();
        ThrottledTask task = new ThrottledTask(loop, Platform.system(), interval.toNanos(), () -> {
            latestRun.set(System.nanoTime());
            runs.incrementAndGet();
        });
        long start = System.nanoTime();
        task.request();
        await().until(() -> runs.get() == 1);

        // On the loop, so that it runs nothing meanwhile.
        loop.executor().execute(() -> {
            for (int i = 0; i < 1_000; i++) {
                task.request();
            }
        });

        await().until(() -> runs.get() == 2);
        await().during(Duration.ofMillis(800)).until(() -> runs.get() == 2);
        assertThat(Duration.ofNanos(latestRun.get() - start)).isGreaterThanOrEqualTo(interval);
    }

    @Test
    void doesNotRunOnAClosedLoop() {
        ThrottledTask task = new ThrottledTask(loop, Platform.system(), 0, runs::incrementAndGet);
        loop.close();
        await().until(() -> loop.executor().isShutdown());

        task.request();

        assertThat(runs).hasValue(0);
    }
}
