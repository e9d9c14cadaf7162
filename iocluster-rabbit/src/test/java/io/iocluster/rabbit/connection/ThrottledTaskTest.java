package io.iocluster.rabbit.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ThrottledTaskTest {

    private final EventLoopThread loop = new EventLoopThread("test");
    private final AtomicInteger taken = new AtomicInteger();

    @AfterEach
    void stop() {
        loop.close();
    }

    @Test
    void takesTheFirstTurnAtOnce() {
        ThrottledTask turns = new ThrottledTask(loop, Duration.ofHours(1).toNanos(), taken::incrementAndGet);

        turns.request();

        await().until(() -> taken.get() == 1);
    }

    @Test
    void takesOneTurnForAllThatAskedMeanwhile() {
        ThrottledTask turns = new ThrottledTask(loop, Duration.ofMillis(300).toNanos(), taken::incrementAndGet);
        turns.request();
        await().until(() -> taken.get() == 1);

        for (int i = 0; i < 1_000; i++) {
            turns.request();
        }

        await().until(() -> taken.get() == 2);
        await().during(Duration.ofMillis(400)).until(() -> taken.get() == 2);
    }

    @Test
    void asksNothingOfAClosedLoop() {
        ThrottledTask turns = new ThrottledTask(loop, 0, taken::incrementAndGet);
        loop.close();
        await().until(() -> loop.executor().isShutdown());

        turns.request();

        assertThat(taken).hasValue(0);
    }
}
