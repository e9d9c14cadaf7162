package io.iocluster.kafka.sink;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SendRateMeterTest {

    private static final long MILLI = 1_000_000;

    /** Judged each 10 ms; heavy from 10 messages in them on. */
    private final SendRateMeter load = new SendRateMeter(1_000, 10 * MILLI);

    SendRateMeterTest() {
        load.mark(100 * MILLI);
    }

    @Test
    void isHeavyAfterASpanWithManyMessagesAndNoLongerAfterOneWithFew() {
        assertThat(messages(9, 105 * MILLI)).isFalse();
        assertThat(messages(1, 110 * MILLI)).isTrue();
        assertThat(messages(5, 115 * MILLI)).isTrue();
        assertThat(messages(1, 120 * MILLI)).isFalse();
    }

    @Test
    void isNotHeavyForOneMessageAfterALongPause() {
        messages(100, 105 * MILLI);
        assertThat(messages(1, 110 * MILLI)).isTrue();

        assertThat(messages(1, 10_000 * MILLI)).isFalse();
    }

    private boolean messages(int count, long at) {
        boolean heavy = false;
        for (int i = 0; i < count; i++) {
            heavy = load.mark(at);
        }
        return heavy;
    }
}
