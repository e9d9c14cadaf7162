package io.iocluster.node.logging;

import static java.util.Map.entry;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.encoder.Encoder;
import io.iocluster.node.audit.AuditLog;
import io.iocluster.node.config.LoggingSettings;
import io.iocluster.node.config.LoggingSettings.Format;
import io.iocluster.thread.Platform;
import java.util.Map;
import org.slf4j.LoggerFactory;

/**
 * Configures the log from the settings. The log goes to standard error because standard output carries a command's
 * result. Owns the process's logging context.
 */
public final class NodeLogging {

    /**
     * Lowest levels of verbose libraries. If a broker is unreachable, the transport logs it once a minute; its client
     * would log every attempt.
     */
    private static final Map<String, Level> MIN_LEVELS = Map.ofEntries(
            entry("org.apache.kafka", Level.WARN),
            entry("org.apache.kafka.clients.ClientUtils", Level.ERROR),
            entry("org.apache.kafka.clients.NetworkClient", Level.ERROR),
            entry("org.apache.kafka.clients.Metadata", Level.ERROR),
            entry("org.apache.kafka.clients.producer.internals.Sender", Level.ERROR),
            entry("org.apache.kafka.clients.consumer.internals", Level.ERROR),
            entry("org.apache.kafka.clients.consumer.internals.CompletedFetch", Level.OFF),
            entry("com.rabbitmq", Level.WARN),
            entry("io.netty", Level.WARN),
            entry("io.lettuce", Level.WARN),
            // The node logs each outage of the shared cache once.
            entry("io.lettuce.core.protocol.ConnectionWatchdog", Level.ERROR),
            entry("reactor", Level.WARN),
            entry("com.linecorp.armeria", Level.WARN),
            entry("io.github.resilience4j", Level.WARN),
            entry("com.netflix.concurrency", Level.WARN),
            // Its signer would log the session token with each call.
            entry("software.amazon.awssdk", Level.WARN),
            entry("org.testcontainers", Level.WARN));

    private static final String TEXT_PATTERN = "%d{yyyy-MM-dd'T'HH:mm:ss.SSSXXX} %-5level [%thread] %logger{0} -"
            + " %replace(%msg){'[\\r\\n]+',' '}%n%ex";

    private NodeLogging() {}

    /**
     * Replaces the previous configuration of the log.
     *
     * @param nodeId the field {@code node} of JSON lines; null if the process is not a node
     */
    public static void configure(LoggingSettings settings, String nodeId) {
        LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
        context.reset();
        ConsoleAppender<ILoggingEvent> console = new ConsoleAppender<>();
        console.setContext(context);
        console.setTarget("System.err");
        console.setEncoder(settings.format() == Format.JSON ? json(context, nodeId) : text(context));
        console.start();
        Logger root = context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
        root.addAppender(console);
        DnsWarnings dnsWarnings = new DnsWarnings(Platform.system()::nanos);
        dnsWarnings.setContext(context);
        dnsWarnings.start();
        Logger resolver = context.getLogger(DnsWarnings.LOGGER);
        resolver.setAdditive(false);
        resolver.addAppender(dnsWarnings);
        setLevel(settings.level());
        // Otherwise a higher level would hide actions.
        context.getLogger(AuditLog.LOGGER).setLevel(Level.INFO);
    }

    /** Changes only the level. */
    public static void setLevel(LoggingSettings.Level level) {
        LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
        Level wanted = Level.toLevel(level.name());
        context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME).setLevel(wanted);
        MIN_LEVELS.forEach(
                (name, quiet) -> context.getLogger(name).setLevel(quiet.isGreaterOrEqual(wanted) ? quiet : wanted));
    }

    private static Encoder<ILoggingEvent> text(LoggerContext context) {
        PatternLayoutEncoder encoder = new PatternLayoutEncoder();
        encoder.setContext(context);
        encoder.setPattern(TEXT_PATTERN);
        encoder.start();
        return encoder;
    }

    private static Encoder<ILoggingEvent> json(LoggerContext context, String nodeId) {
        JsonLineEncoder encoder = new JsonLineEncoder(nodeId);
        encoder.setContext(context);
        encoder.start();
        return encoder;
    }
}
