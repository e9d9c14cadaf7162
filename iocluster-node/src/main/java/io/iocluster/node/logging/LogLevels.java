package io.iocluster.node.logging;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.iocluster.node.audit.AuditLog;
import io.iocluster.node.config.LoggingSettings;
import io.iocluster.status.StatusField;
import io.iocluster.thread.NodeClock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.slf4j.LoggerFactory;

/**
 * Sets levels of loggers for a time, on request of operators. When the time is over, restores the level of the configuration. Owned by
 * the node; {@link #close} restores all. Thread-safe.
 */
public final class LogLevels implements AutoCloseable {

    /** The name of the root logger. */
    public static final String ROOT = "root";

    private static final org.slf4j.Logger LOG = LoggerFactory.getLogger(LogLevels.class);

    private final LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();

    @GuardedBy("this")
    private final Map<String, SetLevel> overrides = new TreeMap<>();

    private final NodeClock clock;
    private final ScheduledExecutorService background;

    private record SetLevel(Level level, Level before, Instant until, long endNanos, ScheduledFuture<?> end) {}

    /** A level that an operator set, when it ends, and the time until then. Immutable. */
    public record TemporaryLevel(
            @StatusField String logger,
            @StatusField LoggingSettings.Level level,
            @StatusField(doc = "when it ends by itself") Instant until,

            @StatusField(name = "remainingMillis", doc = "time until then")
            Duration remaining) {}

    /**
     * Creates an object that has set no level.
     *
     * @param background restores levels
     */
    public LogLevels(NodeClock clock, ScheduledExecutorService background) {
        this.clock = clock;
        this.background = background;
    }

    /** Returns the levels in force, in the order of the loggers. */
    public synchronized List<TemporaryLevel> all() {
        long now = clock.nanos();
        return overrides.entrySet().stream()
                .map(each -> new TemporaryLevel(
                        each.getKey(),
                        LoggingSettings.Level.valueOf(each.getValue().level().levelStr),
                        each.getValue().until(),
                        Duration.ofNanos(Math.max(0, each.getValue().endNanos() - now))))
                .toList();
    }

    /** Returns whether the node has a logger of this name, or loggers in the package of this name. */
    public boolean exists(String logger) {
        return isRoot(logger) || context.exists(logger) != null;
    }

    /** Returns whether operators may change the level: false for the audit log, because it must have every action. */
    public boolean isChangeable(String logger) {
        return !logger.equals(AuditLog.LOGGER);
    }

    /** Returns the level that applies to the logger. */
    public LoggingSettings.Level level(String logger) {
        Level level = logger(logger).getEffectiveLevel();
        return level.isGreaterOrEqual(Level.ERROR)
                ? LoggingSettings.Level.ERROR
                : LoggingSettings.Level.valueOf(level.levelStr);
    }

    /** Sets the level for this time. Replaces an earlier level of an operator. */
    public synchronized void set(String name, LoggingSettings.Level level, Duration length) {
        SetLevel current = overrides.get(name);
        if (current != null) {
            current.end().cancel(false);
        }
        Logger logger = logger(name);
        Level before = current == null ? logger.getLevel() : current.before();
        Level wanted = Level.toLevel(level.name());
        Instant until = Instant.ofEpochMilli(clock.wallMillis()).plus(length).truncatedTo(ChronoUnit.SECONDS);
        long endNanos = clock.nanos() + length.toNanos();
        ScheduledFuture<?> end = background.schedule(() -> end(name), length.toNanos(), TimeUnit.NANOSECONDS);
        overrides.put(name, new SetLevel(wanted, before, until, endNanos, end));
        logger.setLevel(wanted);
    }

    private synchronized void end(String name) {
        SetLevel ended = overrides.get(name);
        if (ended != null && ended.endNanos() - clock.nanos() <= 0) {
            reset(name);
            LOG.info("Operator action expired action=log-level logger={} level={}", name, level(name));
        }
    }

    /** Restores the level of the configuration, if an operator has set another. */
    public synchronized void reset(String name) {
        SetLevel current = overrides.remove(name);
        if (current != null) {
            current.end().cancel(false);
            logger(name).setLevel(current.before());
        }
    }

    /** Runs a change of the configured levels with the levels of operators removed, and sets these again afterwards. */
    public synchronized void changeConfigured(Runnable change) {
        overrides.forEach((name, each) -> logger(name).setLevel(each.before()));
        change.run();
        overrides.replaceAll((name, each) -> {
            Logger logger = logger(name);
            Level before = logger.getLevel();
            logger.setLevel(each.level());
            return new SetLevel(each.level(), before, each.until(), each.endNanos(), each.end());
        });
    }

    private Logger logger(String name) {
        return context.getLogger(isRoot(name) ? org.slf4j.Logger.ROOT_LOGGER_NAME : name);
    }

    private static boolean isRoot(String name) {
        return name.equals(ROOT);
    }

    @Override
    public synchronized void close() {
        List.copyOf(overrides.keySet()).forEach(this::reset);
    }
}
