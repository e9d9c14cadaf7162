package io.iocluster.kafka.sink;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SendRateMeterTest {

    private static final long MILLI = 1_000_000;

    /** The interval is 10 ms; the rate is high from 10 messages in an interval. */
    private final SendRateMeter meter = new SendRateMeter(1_000, 10 * MILLI);

    SendRateMeterTest() {
        meter.mark(100 * MILLI);
    }

    @Test
    void isHighAfterAnIntervalWithManyMessagesAndLowAfterOneWithFew() {
        assertThat(messages(9, 105 * MILLI)).isFalse();
        assertThat(messages(1, 110 * MILLI)).isTrue();
        assertThat(messages(5, 115 * MILLI)).isTrue();
        assertThat(messages(1, 120 * MILLI)).isFalse();
    }

    @Test
    void isLowForOneMessageAfterALongPause() {
        messages(100, 105 * MILLI);
        assertThat(messages(1, 110 * MILLI)).isTrue();

        assertThat(messages(1, 10_000 * MILLI)).isFalse();
    }

    private boolean messages(int count, long at) {
        boolean high = false;
        for (int i = 0; i < count; i++) {
            high = meter.mark(at);
        }
        return high;
    }
}
