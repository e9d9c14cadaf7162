package io.iocluster.rabbit.connection;

import static org.awaitility.Awaitility.await;

import io.iocluster.thread.Platform;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class EventLoopThreadTest {

    @AutoClose
    private final EventLoopThread loop = new EventLoopThread("loop", Platform.system());

    @Test
    void runsARepeatedTaskAgainAfterAnError() {
        AtomicInteger runs = new AtomicInteger();

        loop.scheduleRepeatedly(1_000_000, () -> {
            runs.incrementAndGet();
            throw new NoClassDefFoundError("gone");
        });

        await().until(() -> runs.get() > 2);
    }
}
