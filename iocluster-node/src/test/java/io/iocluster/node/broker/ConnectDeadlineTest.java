package io.iocluster.node.broker;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConnectDeadlineTest {

    private static final Instant START = Instant.parse("2026-01-02T03:04:05Z");

    @ParameterizedTest
    @CsvSource({"0, 4700", "950, 3700", "1700, 3000", "60000, 3000", "-86400000, 4700"})
    void leavesTheRestOfFiveSecondsButAtLeastThree(long millisSinceStart, long millisLeft) {
        ConnectDeadline deadline = new ConnectDeadline(START, () -> START.plusMillis(millisSinceStart));

        assertThat(deadline.left()).isEqualTo(Duration.ofMillis(millisLeft));
    }
}
