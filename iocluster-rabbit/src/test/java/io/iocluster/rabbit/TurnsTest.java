package io.iocluster.rabbit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TurnsTest {

    private final Loop loop = new Loop("test");
    private final AtomicInteger taken = new AtomicInteger();

    @AfterEach
    void stop() {
        loop.close();
    }

    @Test
    void takesTheFirstTurnAtOnce() {
        Turns turns = new Turns(loop, Duration.ofHours(1).toNanos(), taken::incrementAndGet);

        turns.ask();

        await().until(() -> taken.get() == 1);
    }

    @Test
    void takesOneTurnForAllThatAskedMeanwhile() {
        Turns turns = new Turns(loop, Duration.ofMillis(300).toNanos(), taken::incrementAndGet);
        turns.ask();
        await().until(() -> taken.get() == 1);

        for (int i = 0; i < 1_000; i++) {
            turns.ask();
        }

        await().until(() -> taken.get() == 2);
        await().during(Duration.ofMillis(400)).until(() -> taken.get() == 2);
    }

    @Test
    void asksNothingOfAClosedLoop() {
        Turns turns = new Turns(loop, 0, taken::incrementAndGet);
        loop.close();
        await().until(() -> loop.executor().isShutdown());

        turns.ask();

        assertThat(taken).hasValue(0);
    }
}
