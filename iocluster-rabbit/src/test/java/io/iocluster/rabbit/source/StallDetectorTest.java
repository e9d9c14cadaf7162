package io.iocluster.rabbit.source;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.Test;

class StallDetectorTest {

    private static final int PREFETCH = 10;

    private final StallDetector stall = new StallDetector(100, 0);

    @Test
    void lastsWhenNothingComesThoughMessagesAreReadyAndThereIsRoom() {
        assertThat(stall.detect(held(3, 50), PREFETCH, ready(7), 10)).isFalse();
        QueueLengthMonitor.QueueDepth again = ready(7);

        assertThat(stall.detect(held(0, 50), PREFETCH, again, 109)).isFalse();
        assertThat(stall.detect(held(0, 50), PREFETCH, again, 110)).isTrue();
    }

    @Test
    void beginsAnewWithEachDelivery() {
        stall.detect(held(3, 50), PREFETCH, ready(7), 10);

        assertThat(stall.detect(held(3, 51), PREFETCH, ready(7), 110)).isFalse();
        assertThat(stall.detect(held(3, 51), PREFETCH, ready(7), 209)).isFalse();
        assertThat(stall.detect(held(3, 51), PREFETCH, ready(7), 210)).isTrue();
    }

    @Test
    void doesNotBelieveAnAnswerThatIsOlderThanTheStall() {
        QueueLengthMonitor.QueueDepth old = ready(7);
        stall.detect(held(0, 50), PREFETCH, old, 10);

        assertThat(stall.detect(held(0, 50), PREFETCH, old, 500)).isFalse();
        assertThat(stall.detect(held(0, 50), PREFETCH, ready(0), 510)).isFalse();
    }

    @Test
    void isNoneWhereTheNodeHasAllThatItMay() {
        stall.detect(held(PREFETCH, 50), PREFETCH, ready(7), 10);

        assertThat(stall.detect(held(PREFETCH, 50), PREFETCH, ready(7), 500)).isFalse();
    }

    @Test
    void isNoneWhileNothingIsToBeRead() {
        stall.detect(held(0, 50), 0, ready(7), 10);

        assertThat(stall.detect(held(0, 50), 0, ready(7), 500)).isFalse();
    }

    @Test
    void isNoneForAConsumerThatStandsBy() {
        stall.detect(held(0, 0), PREFETCH, ready(7), 10);

        assertThat(stall.detect(held(0, 0), PREFETCH, ready(7), 500)).isFalse();
    }

    private static SourceLoop.SourceSnapshot held(int held, long delivered) {
        return new SourceLoop.SourceSnapshot(Set.of(), 0, held, 0, 0, delivered);
    }

    private static QueueLengthMonitor.QueueDepth ready(long messages) {
        return new QueueLengthMonitor.QueueDepth(messages, 0, 0, false);
    }
}
