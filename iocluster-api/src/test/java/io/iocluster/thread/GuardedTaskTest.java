package io.iocluster.thread;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class GuardedTaskTest {

    private final ListAppender<ILoggingEvent> log = new ListAppender<>();
    private final Logger logger = (Logger) LoggerFactory.getLogger(GuardedTask.class);

    @BeforeEach
    void readLog() {
        log.start();
        logger.addAppender(log);
    }

    @AfterEach
    void detach() {
        logger.detachAppender(log);
    }

    @Test
    void logsAnErrorAndSuppressesItsRepetitions() {
        GuardedTask task = new GuardedTask(
                "history",
                () -> {
                    throw new NoClassDefFoundError("gone");
                },
                Platform.system());

        task.run();
        task.run();

        assertThat(log.list).singleElement().satisfies(event -> {
            assertThat(event.getLevel()).isEqualTo(Level.ERROR);
            assertThat(event.getFormattedMessage())
                    .isEqualTo("Task failed; it will run again task=history suppressed=0");
            assertThat(event.getThrowableProxy().getMessage()).isEqualTo("gone");
        });
    }

    @Test
    void throwsNothingEvenIfLoggingFails() {
        GuardedTask task = new GuardedTask(
                "history",
                () -> {
                    throw new Unloggable();
                },
                Platform.system());

        assertThatCode(task::run).doesNotThrowAnyException();
    }

    private static final class Unloggable extends RuntimeException {

        private static final long serialVersionUID = 1;

        @Override
        public String getMessage() {
            throw new OutOfMemoryError("simulated");
        }
    }
}
