package io.iocluster.rabbit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.Test;

class StallTest {

    private static final int PREFETCH = 10;

    private final Stall stall = new Stall(100, 0);

    @Test
    void lastsWhenNothingComesThoughMessagesAreReadyAndThereIsRoom() {
        assertThat(stall.lasts(held(3, 50), PREFETCH, ready(7), 10)).isFalse();
        QueueLength.Length again = ready(7);

        assertThat(stall.lasts(held(0, 50), PREFETCH, again, 109)).isFalse();
        assertThat(stall.lasts(held(0, 50), PREFETCH, again, 110)).isTrue();
    }

    @Test
    void beginsAnewWithEachDelivery() {
        stall.lasts(held(3, 50), PREFETCH, ready(7), 10);

        assertThat(stall.lasts(held(3, 51), PREFETCH, ready(7), 110)).isFalse();
        assertThat(stall.lasts(held(3, 51), PREFETCH, ready(7), 209)).isFalse();
        assertThat(stall.lasts(held(3, 51), PREFETCH, ready(7), 210)).isTrue();
    }

    @Test
    void doesNotBelieveAnAnswerThatIsOlderThanTheStall() {
        QueueLength.Length old = ready(7);
        stall.lasts(held(0, 50), PREFETCH, old, 10);

        assertThat(stall.lasts(held(0, 50), PREFETCH, old, 500)).isFalse();
        assertThat(stall.lasts(held(0, 50), PREFETCH, ready(0), 510)).isFalse();
    }

    @Test
    void isNoneWhereTheNodeHasAllThatItMay() {
        stall.lasts(held(PREFETCH, 50), PREFETCH, ready(7), 10);

        assertThat(stall.lasts(held(PREFETCH, 50), PREFETCH, ready(7), 500)).isFalse();
    }

    @Test
    void isNoneWhileNothingIsToBeRead() {
        stall.lasts(held(0, 50), 0, ready(7), 10);

        assertThat(stall.lasts(held(0, 50), 0, ready(7), 500)).isFalse();
    }

    @Test
    void isNoneForAConsumerThatStandsBy() {
        stall.lasts(held(0, 0), PREFETCH, ready(7), 10);

        assertThat(stall.lasts(held(0, 0), PREFETCH, ready(7), 500)).isFalse();
    }

    private static SourceLoop.Shown held(int held, long delivered) {
        return new SourceLoop.Shown(Set.of(), 0, held, 0, 0, delivered);
    }

    private static QueueLength.Length ready(long messages) {
        return new QueueLength.Length(messages, 0, 0, false);
    }
}
