package io.iocluster.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LoadTest {

    /** Heavy from 10 messages in each 5 ns on. */
    private final Load load = new Load(2_000_000_000L, 5);

    @Test
    void isHeavyAfterASpanWithManyMessagesAndNoLongerAfterOneWithFew() {
        assertThat(load.isHeavy(0, 5)).isFalse();
        assertThat(load.isHeavy(9, 7)).isFalse();
        assertThat(load.isHeavy(1, 10)).isTrue();
        assertThat(load.isHeavy(9, 12)).isTrue();
        assertThat(load.isHeavy(0, 15)).isFalse();
    }

    @Test
    void countsWhatComesInOneBurstAfterAPause() {
        load.isHeavy(0, 5);

        assertThat(load.isHeavy(10, 1_000)).isTrue();
    }
}
