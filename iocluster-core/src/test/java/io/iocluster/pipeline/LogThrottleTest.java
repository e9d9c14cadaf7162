package io.iocluster.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class LogThrottleTest {

    private static final long SPAN = Duration.ofSeconds(10).toNanos();

    /** The clock may pass the end of its range between two lines. */
    private final long begin = Long.MAX_VALUE - 7;

    private final LogThrottle throttle = new LogThrottle(begin);

    @Test
    void theFirstCaseHasALineAndTheNextOnesWait() {
        assertThat(throttle.untold(begin)).isZero();
        assertThat(throttle.untold(begin)).isEqualTo(LogThrottle.NOT_NOW);
        assertThat(throttle.untold(begin + SPAN - 1)).isEqualTo(LogThrottle.NOT_NOW);
    }

    @Test
    void theNextLineTellsOfThoseThatHadNone() {
        throttle.untold(begin);
        throttle.untold(begin + 1);
        throttle.untold(begin + 2);

        assertThat(throttle.untold(begin + SPAN)).isEqualTo(2);
        assertThat(throttle.untold(begin + SPAN)).isEqualTo(LogThrottle.NOT_NOW);
        assertThat(throttle.untold(begin + 2 * SPAN)).isEqualTo(1);
    }
}
