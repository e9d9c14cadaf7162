package io.iocluster.node.audit;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.List;
import org.slf4j.LoggerFactory;

/** Records the lines of the audit log. Owned by one test. */
public final class AuditRecorder implements AutoCloseable {

    private final Logger logger = (Logger) LoggerFactory.getLogger(AuditLog.LOGGER);
    private final ListAppender<ILoggingEvent> appender = new ListAppender<>();

    public AuditRecorder() {
        logger.setLevel(Level.INFO);
        logger.setAdditive(false);
        appender.start();
        logger.addAppender(appender);
    }

    /** Returns the lines so far. */
    public List<String> lines() {
        return List.copyOf(appender.list).stream()
                .map(ILoggingEvent::getFormattedMessage)
                .toList();
    }

    /** Returns the last line. */
    public String last() {
        List<String> lines = lines();
        return lines.get(lines.size() - 1);
    }

    @Override
    public void close() {
        logger.detachAppender(appender);
        logger.setAdditive(true);
    }
}
