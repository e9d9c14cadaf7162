package io.iocluster.pipeline.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class OneAtATimeTest {

    private final OneAtATime oneAtATime = new OneAtATime();
    private final AtomicInteger runs = new AtomicInteger();

    @Test
    void runsAgainForARequestThatArrivesMeanwhile() {
        oneAtATime.run(() -> {
            if (runs.incrementAndGet() == 1) {
                oneAtATime.run(() -> {});
            }
        });

        assertThat(runs).hasValue(2);
    }

    @Test
    void runsAgainForARequestThatArrivesBeforeAnException() {
        IllegalStateException bug = new IllegalStateException("first run");

        assertThatThrownBy(() -> oneAtATime.run(() -> {
                    if (runs.incrementAndGet() == 1) {
                        oneAtATime.run(() -> {});
                        throw bug;
                    }
                }))
                .isSameAs(bug);

        assertThat(runs).hasValue(2);
        oneAtATime.run(runs::incrementAndGet);
        assertThat(runs).hasValue(3);
    }
}
