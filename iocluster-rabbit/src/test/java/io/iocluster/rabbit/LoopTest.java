package io.iocluster.rabbit;

import static org.awaitility.Awaitility.await;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LoopTest {

    private final Loop loop = new Loop("loop");

    @AfterEach
    void close() {
        loop.close();
    }

    @Test
    void aTaskThatThrowsAnErrorRunsAgain() {
        AtomicInteger runs = new AtomicInteger();

        loop.each(1_000_000, () -> {
            runs.incrementAndGet();
            throw new NoClassDefFoundError("gone");
        });

        await().until(() -> runs.get() > 2);
    }
}
