package io.iocluster.node.window;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class HalfWindowTest {

    private static final Duration HALF = Duration.ofSeconds(30);

    private final HalfWindow<Integer> window = new HalfWindow<>(HALF, 0, 0);

    @Test
    void beginsWithTheFirstTotalsUntilTwoHalvesHavePassed() {
        assertThat(advance(29, 10)).isZero();
        assertThat(advance(30, 20)).isZero();
        assertThat(advance(59, 30)).isZero();

        assertThat(advance(60, 40)).isEqualTo(20);
        assertThat(window.start()).isEqualTo(20);
    }

    @Test
    void isOneToTwoHalvesLong() {
        advance(30, 10);
        advance(60, 20);

        assertThat(advance(89, 30)).isEqualTo(10);
        assertThat(advance(90, 40)).isEqualTo(20);
    }

    @Test
    void movesByOneHalfAfterALongPause() {
        advance(30, 10);

        assertThat(advance(1_000, 20)).isEqualTo(10);
        assertThat(advance(1_030, 30)).isEqualTo(20);
    }

    @Test
    void asksForTheTotalsOnlyWhenItMoves() {
        int start = window.advance(
                () -> {
                    throw new AssertionError("the window did not move");
                },
                HALF.minusNanos(1).toNanos());

        assertThat(start).isZero();
    }

    private int advance(int seconds, int totals) {
        return window.advance(() -> totals, Duration.ofSeconds(seconds).toNanos());
    }
}
