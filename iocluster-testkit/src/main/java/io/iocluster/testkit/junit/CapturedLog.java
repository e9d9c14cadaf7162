package io.iocluster.testkit.junit;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.List;
import org.slf4j.LoggerFactory;

/** Captures the lines of a logger, instead of printing them, until it is closed. Thread-safe. */
public final class CapturedLog implements AutoCloseable {

    private final Logger logger;
    private final Level originalLevel;
    private final ListAppender<ILoggingEvent> appender = new ListAppender<>();

    private CapturedLog(String name, Level level) {
        logger = (Logger) LoggerFactory.getLogger(name);
        originalLevel = logger.getLevel();
        if (level != null) {
            logger.setLevel(level);
        }
        appender.start();
        logger.addAppender(appender);
        logger.setAdditive(false);
    }

    /** Captures the lines of the level that is configured for this logger. */
    public static CapturedLog of(String logger) {
        return new CapturedLog(logger, null);
    }

    /** Captures the lines of the level that is configured for this class. */
    public static CapturedLog of(Class<?> logger) {
        return new CapturedLog(logger.getName(), null);
    }

    /** Captures the lines of this level and above. */
    public static CapturedLog of(Class<?> logger, Level level) {
        return new CapturedLog(logger.getName(), level);
    }

    /** Returns a copy of the events. */
    public List<ILoggingEvent> events() {
        synchronized (appender) {
            return List.copyOf(appender.list);
        }
    }

    /** Returns the lines without their levels. */
    public List<String> messages() {
        return events().stream().map(ILoggingEvent::getFormattedMessage).toList();
    }

    @Override
    public void close() {
        logger.detachAppender(appender);
        logger.setAdditive(true);
        logger.setLevel(originalLevel);
    }
}
