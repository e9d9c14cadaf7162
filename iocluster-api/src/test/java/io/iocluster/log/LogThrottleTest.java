package io.iocluster.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.slf4j.event.Level;

class LogThrottleTest {

    private static final long SPAN = Duration.ofSeconds(10).toNanos();

    @RegisterExtension
    final LogLines log = new LogLines(LogThrottleTest.class);

    /** The clock may overflow between two log lines. */
    private long now = Long.MAX_VALUE - 7;

    private final LogThrottle throttle = new LogThrottle(log.logger(), () -> now);

    @Test
    void logsTheFirstEventAndSuppressesTheNext() {
        throttle.warn("Answer lost to={}", "a");
        throttle.warn("Answer lost to={}", "b");
        now += SPAN - 1;
        throttle.warn("Answer lost to={}", "c");

        assertThat(log.lines()).containsExactly("WARN Answer lost to=a suppressed=0");
    }

    @Test
    void theNextLineCountsTheSuppressedEvents() {
        throttle.error("Lost");
        throttle.error("Lost");
        throttle.error("Lost");
        now += SPAN;
        throttle.error("Lost");
        throttle.error("Lost");
        now += SPAN;
        throttle.error("Lost");

        assertThat(log.lines())
                .containsExactly("ERROR Lost suppressed=0", "ERROR Lost suppressed=2", "ERROR Lost suppressed=1");
    }

    @Test
    void theIntervalCanBeLonger() {
        LogThrottle slow = new LogThrottle(log.logger(), Duration.ofMinutes(1), () -> now);
        slow.warn("Lost");
        now += 6 * SPAN - 1;
        slow.warn("Lost");
        now++;
        slow.warn("Lost");

        assertThat(log.lines()).containsExactly("WARN Lost suppressed=0", "WARN Lost suppressed=1");
    }

    @Test
    void aThrowableIsTheCauseAndNoValueOfTheText() {
        throttle.error("Lost to={}", "a", new IllegalStateException("defect"));

        assertThat(log.lines()).containsExactly("ERROR Lost to=a suppressed=0");
        assertThat(log.events().get(0).getThrowableProxy().getMessage()).isEqualTo("defect");
    }

    @Test
    void theContextIsNoPartOfTheText() {
        throttle.log(Level.WARN, line -> line.addKeyValue("traceparent", "00-1"), "Lost to={}", "a");

        assertThat(log.lines()).containsExactly("WARN Lost to=a suppressed=0");
        assertThat(log.events().get(0).getKeyValuePairs()).singleElement().hasToString("traceparent=\"00-1\"");
    }

    @Test
    void saysOnceThatLoggedEventsAreOver() {
        throttle.over("Found again");
        throttle.warn("Lost");
        throttle.over("Found again at={}", "a");
        throttle.warn("Lost");
        throttle.over("Found again");

        assertThat(log.lines()).containsExactly("WARN Lost suppressed=0", "INFO Found again at=a");
    }
}
