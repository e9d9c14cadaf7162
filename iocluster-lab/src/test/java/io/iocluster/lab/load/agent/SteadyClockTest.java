package io.iocluster.lab.load.agent;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SteadyClockTest {

    private long wallMicros = 1_000_000;
    private long nanos = Long.MAX_VALUE - 1_000;

    @Test
    void aStepOfTheWallClockDoesNotChangeIt() {
        SteadyClock clock = new SteadyClock(() -> wallMicros, () -> nanos);
        assertThat(clock.micros()).isEqualTo(1_000_000);

        wallMicros += 3_600_000_000L;
        nanos += 2_000;

        assertThat(clock.micros()).isEqualTo(1_000_002);
    }
}
