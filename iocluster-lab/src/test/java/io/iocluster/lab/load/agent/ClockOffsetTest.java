package io.iocluster.lab.load.agent;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ClockOffsetTest {

    @Test
    void theFastestRoundTripDecides() {
        ClockOffset offset = new ClockOffset();
        assertThat(offset.isKnown()).isFalse();

        // The agent's clock is 5,000 µs ahead. Each way takes 100 µs, and the agent holds the message for 300 µs.
        offset.add(1_000, 1_500, 300, 6_400);
        assertThat(offset.micros()).isEqualTo(5_000);
        assertThat(offset.errorMicros()).isEqualTo(100);

        // A slow way back would give another offset.
        offset.add(10_000, 20_000, 0, 15_100);
        assertThat(offset.micros()).isEqualTo(5_000);
    }
}
