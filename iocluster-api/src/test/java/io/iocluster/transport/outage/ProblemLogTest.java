package io.iocluster.transport.outage;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.iocluster.thread.Platform;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Tests what the log says about an outage. */
class ProblemLogTest {

    private final Logger logger = (Logger) LoggerFactory.getLogger(ProblemLogTest.class);
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();
    private final ProblemLog problem = new ProblemLog(logger, "not connected yet", Platform.system());

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
    void saysHowLongTheProblemTookAndWhatItWas() {
        problem.raise("Reading failed", new IOException("refused"));
        problem.raise("Reading failed", new IOException("no answer"));

        problem.clear();

        assertThat(lines()).hasSize(2);
        assertThat(lines().get(0)).isEqualTo("WARN Reading failed: refused; retrying");
        assertThat(lines().get(1)).matches("INFO Recovered after=\\d+m?s problem=\"Reading failed: no answer\"");
    }

    @Test
    void saysNothingOfARecoveryIfTheProblemWasNotLogged() {
        problem.clear();

        assertThat(lines()).isEmpty();
        assertThat(problem.problem()).isNull();
    }

    private List<String> lines() {
        return log.list.stream()
                .map(event -> event.getLevel() + " " + event.getFormattedMessage())
                .toList();
    }
}
