package io.iocluster.log;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.List;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.slf4j.LoggerFactory;

/** Records the lines of one logger while a test runs. */
public final class LogLines implements BeforeEachCallback, AfterEachCallback {

    private final Logger logger;
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();

    public LogLines(Class<?> name) {
        this.logger = (Logger) LoggerFactory.getLogger(name);
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        logger.setLevel(Level.INFO);
        log.start();
        logger.addAppender(log);
    }

    @Override
    public void afterEach(ExtensionContext context) {
        logger.detachAppender(log);
        logger.setLevel(null);
    }

    public Logger logger() {
        return logger;
    }

    public List<ILoggingEvent> events() {
        return log.list;
    }

    /** Returns the level and the text of each line. */
    public List<String> lines() {
        return log.list.stream()
                .map(event -> event.getLevel() + " " + event.getFormattedMessage())
                .toList();
    }
}
