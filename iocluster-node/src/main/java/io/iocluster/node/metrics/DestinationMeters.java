package io.iocluster.node.metrics;

import io.iocluster.message.Outcome;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * The meters of each destination, for as many as the limit allows; those that come later share the name {@code other}, so
 * that no sender can make the node's memory or its metrics grow. Safe for use by several threads.
 */
final class DestinationMeters {

    private static final String OTHER = "other";

    private final MeterRegistry registry;
    private final int limit;
    private final Map<String, Meters> byDestination = new ConcurrentHashMap<>();
    private final Meters other;

    DestinationMeters(MeterRegistry registry, int limit) {
        this.registry = registry;
        this.limit = limit;
        this.other = new Meters(registry, OTHER);
    }

    /** Null stands for a call whose destination was never understood. */
    Meters of(String destination) {
        if (destination == null) {
            return other;
        }
        Meters known = byDestination.get(destination);
        if (known != null) {
            return known;
        }
        return byDestination.size() < limit ? admit(destination) : other;
    }

    private synchronized Meters admit(String destination) {
        if (byDestination.size() >= limit && !byDestination.containsKey(destination)) {
            return other;
        }
        return byDestination.computeIfAbsent(destination, name -> new Meters(registry, name));
    }

    /** One destination's meters; timers are made when they are first needed. */
    static final class Meters {

        private static final String[] STATUSES = {"none", "1xx", "2xx", "3xx", "4xx", "5xx"};

        private static final Duration[] LATENCIES = {
            Duration.ofMillis(1),
            Duration.ofNanos(2_500_000),
            Duration.ofMillis(5),
            Duration.ofMillis(10),
            Duration.ofMillis(25),
            Duration.ofMillis(50),
            Duration.ofMillis(100),
            Duration.ofMillis(250),
            Duration.ofMillis(500),
            Duration.ofSeconds(1),
            Duration.ofMillis(2_500),
            Duration.ofSeconds(5),
            Duration.ofSeconds(10),
            Duration.ofSeconds(30)
        };

        private final MeterRegistry registry;
        private final String destination;
        private final Counter attempts;
        private final AtomicReferenceArray<Timer> calls =
                new AtomicReferenceArray<>(Outcome.values().length * STATUSES.length);

        private Meters(MeterRegistry registry, String destination) {
            this.registry = registry;
            this.destination = destination;
            this.attempts = Counter.builder("iocluster.attempts")
                    .description("Attempts at calls, repeated ones included")
                    .tag("destination", destination)
                    .register(registry);
        }

        Counter attempts() {
            return attempts;
        }

        // The index lives as long as the process, so the enum may grow.
        @SuppressWarnings("EnumOrdinal")
        Timer calls(Outcome outcome, int status) {
            int statusClass = status >= 100 && status < 600 ? status / 100 : 0;
            int index = outcome.ordinal() * STATUSES.length + statusClass;
            Timer timer = calls.get(index);
            if (timer == null) {
                // The registry gives the same timer to whoever asks twice.
                timer = Timer.builder("iocluster.calls")
                        .description("Calls from when their message was taken to their end")
                        .tag("destination", destination)
                        .tag("outcome", outcome.wireName())
                        .tag("status", STATUSES[statusClass])
                        .serviceLevelObjectives(LATENCIES)
                        .register(registry);
                calls.set(index, timer);
            }
            return timer;
        }
    }
}
