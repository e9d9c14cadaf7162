package io.iocluster.kafka.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class EndOffsetHistoryTest {

    private final EndOffsetHistory history = new EndOffsetHistory();

    @Test
    void boundsTheAgeOfRecordsAfterAnEarlierEndOffset() {
        history.add(10, 100);
        history.add(20, 200);

        assertThat(history.maxAgeNanos(10, 1_000)).isEqualTo(900);
        assertThat(history.maxAgeNanos(19, 1_000)).isEqualTo(900);
        assertThat(history.maxAgeNanos(20, 1_000)).isEqualTo(800);
        assertThat(history.maxAgeNanos(25, 1_000)).isEqualTo(800);
    }

    @Test
    void returnsNoBoundForRecordsBeforeTheFirstEndOffset() {
        assertThat(history.maxAgeNanos(0, 1_000)).isEqualTo(Long.MAX_VALUE);

        history.add(10, 100);

        assertThat(history.maxAgeNanos(9, 1_000)).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void lowersTheMaximumAgeWhileNothingIsWritten() {
        history.add(10, 100);
        history.add(10, 500);

        assertThat(history.maxAgeNanos(10, 1_000)).isEqualTo(500);
    }

    @Test
    void dropsTheOffsetsOfADeletedTopic() {
        history.add(10, 100);
        history.add(5, 200);

        assertThat(history.maxAgeNanos(4, 1_000)).isEqualTo(Long.MAX_VALUE);
        assertThat(history.maxAgeNanos(10, 1_000)).isEqualTo(800);
    }

    @Test
    void raisesTheMaximumAgeInsteadOfStoringMoreEntries() {
        int ends = 10 * EndOffsetHistory.MAX_ENTRIES;
        for (int i = 0; i < ends; i++) {
            history.add(i, i);
        }

        for (int offset = 0; offset < ends; offset++) {
            assertThat(history.maxAgeNanos(offset, ends)).isBetween((long) ends - offset, (long) ends);
        }
    }
}
