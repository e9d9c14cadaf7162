package io.iocluster.node.metrics;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.iocluster.message.Outcome;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReferenceArray;

/** The meters of one destination label. Timers are created on first use. Thread-safe. */
final class CallMeters {

    private static final String[] STATUSES = {"none", "1xx", "2xx", "3xx", "4xx", "5xx"};

    private final MeterRegistry registry;
    private final String destination;
    private final Counter attempts;
    private final Counter retryBudgetExhausted;
    private final AtomicReferenceArray<Timer> calls =
            new AtomicReferenceArray<>(Outcome.values().length * STATUSES.length);

    /** By reason: an HTTP status or an error code. */
    private final Map<String, Counter> delayed = new ConcurrentHashMap<>();

    @GuardedBy("this")
    private boolean removed;

    CallMeters(MeterRegistry registry, String destination) {
        this.registry = registry;
        this.destination = destination;
        this.attempts = Counter.builder("iocluster.attempts")
                .description("Attempts, including retries")
                .tag("destination", destination)
                .register(registry);
        this.retryBudgetExhausted = Counter.builder("iocluster.destination.retry.budget.exhausted")
                .description("Retries refused because the retry budget was exhausted")
                .tag("destination", destination)
                .register(registry);
    }

    /** Returns the value of the label {@code destination}. */
    String destination() {
        return destination;
    }

    Counter attempts() {
        return attempts;
    }

    Counter retryBudgetExhausted() {
        return retryBudgetExhausted;
    }

    Counter delayed(String reason) {
        Counter counter = delayed.get(reason);
        return counter == null ? addDelayed(reason) : counter;
    }

    private synchronized Counter addDelayed(String reason) {
        Counter counter = Counter.builder("iocluster.delayed")
                .description("Calls handed to the broker as delayed retries")
                .tag("destination", destination)
                .tag("reason", reason)
                .register(registry);
        if (removed) {
            registry.remove(counter);
        } else {
            delayed.put(reason, counter);
        }
        return counter;
    }

    // The index lives as long as the process, so the enum may grow.
    @SuppressWarnings("EnumOrdinal")
    Timer callTimer(Outcome outcome, int status) {
        int statusClass = status >= 100 && status < 600 ? status / 100 : 0;
        int index = outcome.ordinal() * STATUSES.length + statusClass;
        Timer timer = calls.get(index);
        return timer == null ? createTimer(index, outcome, STATUSES[statusClass]) : timer;
    }

    private synchronized Timer createTimer(int index, Outcome outcome, String status) {
        // The registry returns the existing timer if two threads create it.
        Timer timer = Timer.builder("iocluster.call.duration")
                .description("Duration of calls from the receipt of their message to their end, including retries")
                .tag("destination", destination)
                .tag("outcome", outcome.wireName())
                .tag("status", status)
                .serviceLevelObjectives(HistogramBuckets.forCallDurations())
                .register(registry);
        if (removed) {
            // A call that ends after the removal must not restore the series; it is not counted.
            registry.remove(timer);
        } else {
            calls.set(index, timer);
        }
        return timer;
    }

    /** Returns the number of attempts and ended calls. */
    long eventCount() {
        double events = attempts.count();
        for (int i = 0; i < calls.length(); i++) {
            Timer timer = calls.get(i);
            events += timer == null ? 0 : timer.count();
        }
        return (long) events;
    }

    /** Removes the series from the registry permanently. */
    synchronized void remove() {
        removed = true;
        registry.remove(attempts);
        registry.remove(retryBudgetExhausted);
        delayed.values().forEach(registry::remove);
        for (int i = 0; i < calls.length(); i++) {
            Timer timer = calls.get(i);
            if (timer != null) {
                registry.remove(timer);
            }
        }
    }
}
