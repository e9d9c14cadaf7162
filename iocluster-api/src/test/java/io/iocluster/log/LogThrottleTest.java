package io.iocluster.log;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class LogThrottleTest {

    private static final long SPAN = Duration.ofSeconds(10).toNanos();

    private final Logger logger = (Logger) LoggerFactory.getLogger(LogThrottleTest.class);
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();

    /** The clock may overflow between two log lines. */
    private long now = Long.MAX_VALUE - 7;

    private final LogThrottle throttle = new LogThrottle(logger, () -> now);

    @BeforeEach
    void record() {
        logger.setLevel(Level.INFO);
        log.start();
        logger.addAppender(log);
    }

    @AfterEach
    void stop() {
        logger.detachAppender(log);
        logger.setLevel(null);
    }

    @Test
    void logsTheFirstEventAndSuppressesTheNext() {
        throttle.warn("Answer lost to={}", "a");
        throttle.warn("Answer lost to={}", "b");
        now += SPAN - 1;
        throttle.warn("Answer lost to={}", "c");

        assertThat(lines()).containsExactly("WARN Answer lost to=a suppressed=0");
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

        assertThat(lines())
                .containsExactly("ERROR Lost suppressed=0", "ERROR Lost suppressed=2", "ERROR Lost suppressed=1");
    }

    @Test
    void theIntervalCanBeLonger() {
        LogThrottle slow = new LogThrottle(logger, Duration.ofMinutes(1), () -> now);
        slow.warn("Lost");
        now += 6 * SPAN - 1;
        slow.warn("Lost");
        now++;
        slow.warn("Lost");

        assertThat(lines()).containsExactly("WARN Lost suppressed=0", "WARN Lost suppressed=1");
    }

    @Test
    void aThrowableIsTheCauseAndNoValueOfTheText() {
        throttle.error("Lost to={}", "a", new IllegalStateException("defect"));

        assertThat(lines()).containsExactly("ERROR Lost to=a suppressed=0");
        assertThat(log.list.get(0).getThrowableProxy().getMessage()).isEqualTo("defect");
    }

    @Test
    void theContextIsNoPartOfTheText() {
        throttle.log(org.slf4j.event.Level.WARN, line -> line.addKeyValue("traceparent", "00-1"), "Lost to={}", "a");

        assertThat(lines()).containsExactly("WARN Lost to=a suppressed=0");
        assertThat(log.list.get(0).getKeyValuePairs()).singleElement().hasToString("traceparent=\"00-1\"");
    }

    @Test
    void saysOnceThatLoggedEventsAreOver() {
        throttle.over("Found again");
        throttle.warn("Lost");
        throttle.over("Found again at={}", "a");
        throttle.warn("Lost");
        throttle.over("Found again");

        assertThat(lines()).containsExactly("WARN Lost suppressed=0", "INFO Found again at=a");
    }

    private List<String> lines() {
        return log.list.stream()
                .map(event -> event.getLevel() + " " + event.getFormattedMessage())
                .toList();
    }
}
