package io.iocluster.node.problem;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RecurrenceTest {

    @ParameterizedTest
    @CsvSource({
        // Events every half second have stopped after the shortest time.
        "120, 60, 5000, false",
        "120, 60, 5001, true",
        // Events every six seconds: three times the distance.
        "10, 60, 18000, false",
        "10, 60, 18001, true",
        // Rare ones: the longest time.
        "1, 60, 30000, false",
        "1, 60, 30001, true",
    })
    void eventsHaveStoppedAfterThreeTimesTheirDistance(long events, double window, long quietMillis, boolean stopped) {
        assertThat(Recurrence.hasStopped(Duration.ofMillis(quietMillis), events, window))
                .isEqualTo(stopped);
    }
}
