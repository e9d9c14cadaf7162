package io.iocluster.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class LogThrottleTest {

    private static final long SPAN = Duration.ofSeconds(10).toNanos();

    /** The clock may overflow between two log lines. */
    private final long begin = Long.MAX_VALUE - 7;

    private final LogThrottle throttle = new LogThrottle(begin);

    @Test
    void logsTheFirstEventAndSuppressesTheNext() {
        assertThat(throttle.pollSuppressed(begin)).isZero();
        assertThat(throttle.pollSuppressed(begin)).isEqualTo(LogThrottle.NOT_DUE);
        assertThat(throttle.pollSuppressed(begin + SPAN - 1)).isEqualTo(LogThrottle.NOT_DUE);
    }

    @Test
    void theNextLineCountsTheSuppressedEvents() {
        throttle.pollSuppressed(begin);
        throttle.pollSuppressed(begin + 1);
        throttle.pollSuppressed(begin + 2);

        assertThat(throttle.pollSuppressed(begin + SPAN)).isEqualTo(2);
        assertThat(throttle.pollSuppressed(begin + SPAN)).isEqualTo(LogThrottle.NOT_DUE);
        assertThat(throttle.pollSuppressed(begin + 2 * SPAN)).isEqualTo(1);
    }

    @Test
    void theIntervalCanBeLonger() {
        LogThrottle slow = new LogThrottle(begin, Duration.ofMinutes(1));
        slow.pollSuppressed(begin);

        assertThat(slow.pollSuppressed(begin + 6 * SPAN - 1)).isEqualTo(LogThrottle.NOT_DUE);
        assertThat(slow.pollSuppressed(begin + 6 * SPAN)).isEqualTo(1);
    }
}
