package io.iocluster.node.metrics;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.iocluster.http.HttpResult;
import io.iocluster.http.HttpResult.Failure;
import io.iocluster.http.HttpResult.Response;
import io.iocluster.message.ErrorCode;
import io.iocluster.message.usable.Usability;
import io.iocluster.node.metrics.NodeStats.DurationBucket;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.stream.IntStream;

/**
 * What the targets of one destination label answered, and how long they took. Meters are created on first use. After
 * that, an attempt allocates nothing here. Thread-safe.
 */
final class AttemptMeters {

    /** Maximum number of exact statuses with a separate series. */
    private static final int MAX_STATUSES = 10;

    private static final String[] STATUSES =
            IntStream.range(0, 1_000).mapToObj(Integer::toString).toArray(String[]::new);

    private final MeterRegistry registry;
    private final String destination;
    private final AtomicReferenceArray<Timer> timers = new AtomicReferenceArray<>(Result.values().length);
    private final DurationHistogram durations = new DurationHistogram();
    private final CounterFamily statuses;
    /** Answers that are not usable, by reason. */
    private final CounterFamily unusable;

    @GuardedBy("this")
    private boolean removed;

    /** The values of the label {@code result}: the class of the status, or the family of the error code. */
    private enum Result {
        STATUS_1XX,
        STATUS_2XX,
        STATUS_3XX,
        STATUS_4XX,
        STATUS_5XX,
        DNS,
        CONNECT,
        TLS,
        TIMEOUT,
        CLOSED,
        OTHER;

        private static final Result[] CLASSES = {STATUS_1XX, STATUS_2XX, STATUS_3XX, STATUS_4XX, STATUS_5XX};

        private final String label = name().replace("STATUS_", "").toLowerCase(Locale.ROOT);

        static Result of(HttpResult result) {
            if (result instanceof Response response) {
                int statusClass = response.status() / 100;
                return statusClass >= 1 && statusClass <= 5 ? CLASSES[statusClass - 1] : OTHER;
            }
            return of(((Failure) result).code());
        }

        private static Result of(ErrorCode code) {
            return switch (code) {
                case DNS_FAILED -> DNS;
                case CONNECT_TIMEOUT, CONNECT_REFUSED, CONNECT_FAILED, PROXY_FAILED -> CONNECT;
                case TLS -> TLS;
                case TIMEOUT -> TIMEOUT;
                case CONNECTION_CLOSED, PROTOCOL_ERROR -> CLOSED;
                default -> OTHER;
            };
        }
    }

    AttemptMeters(MeterRegistry registry, String destination) {
        this.registry = registry;
        this.destination = destination;
        this.statuses = new CounterFamily(
                registry,
                "iocluster.attempt.statuses",
                "Attempts by exact HTTP status",
                destination,
                "status",
                MAX_STATUSES);
        this.unusable = new CounterFamily(
                registry,
                "iocluster.unusable.answers",
                "Answers of attempts that are not usable by the rule of their call",
                destination,
                "reason",
                Usability.values().length);
    }

    void record(HttpResult result, long nanos) {
        timer(Result.of(result)).record(nanos, TimeUnit.NANOSECONDS);
        durations.record(nanos);
        if (result instanceof Response response) {
            int status = response.status();
            statuses.increment(status >= 0 && status < STATUSES.length ? STATUSES[status] : "other");
            if (response.usability().isUnusable()) {
                unusable.increment(response.usability().wireName());
            }
        }
    }

    // The index lives as long as the process, so the enum may grow.
    @SuppressWarnings("EnumOrdinal")
    private Timer timer(Result result) {
        Timer timer = timers.get(result.ordinal());
        return timer == null ? createTimer(result) : timer;
    }

    @SuppressWarnings("EnumOrdinal")
    private synchronized Timer createTimer(Result result) {
        // The registry returns the existing timer if two threads create it.
        Timer timer = Timer.builder("iocluster.attempt")
                .description("Duration of attempts, from their start to their result")
                .tag("destination", destination)
                .tag("result", result.label)
                .serviceLevelObjectives(HistogramBuckets.forCallDurations())
                .register(registry);
        if (removed) {
            // An attempt that ends after the removal must not restore the series; it is not counted.
            registry.remove(timer);
        } else {
            timers.set(result.ordinal(), timer);
        }
        return timer;
    }

    /** Returns the durations of all attempts. */
    List<DurationBucket> durations() {
        return durations.buckets();
    }

    /** Returns the attempts by exact status. */
    Map<String, Long> statuses() {
        return statuses.counts();
    }

    /** Returns the answers that are not usable, by reason. */
    Map<String, Long> unusable() {
        return unusable.counts();
    }

    /** Removes the series from the registry permanently. */
    synchronized void remove() {
        removed = true;
        statuses.remove();
        unusable.remove();
        for (int i = 0; i < timers.length(); i++) {
            Timer timer = timers.get(i);
            if (timer != null) {
                registry.remove(timer);
            }
        }
    }
}
