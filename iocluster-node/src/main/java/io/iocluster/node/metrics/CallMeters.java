package io.iocluster.node.metrics;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.iocluster.message.Outcome;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReferenceArray;

/** One destination's meters; timers are made when they are first needed. Safe for use by several threads. */
final class CallMeters {

    private static final String[] STATUSES = {"none", "1xx", "2xx", "3xx", "4xx", "5xx"};

    private final MeterRegistry registry;
    private final String destination;
    private final Counter attempts;
    private final Counter retryBudgetExhausted;
    private final AtomicReferenceArray<Timer> calls =
            new AtomicReferenceArray<>(Outcome.values().length * STATUSES.length);

    /** By their reasons, which are statuses and error codes. */
    private final Map<String, Counter> delayed = new ConcurrentHashMap<>();

    @GuardedBy("this")
    private boolean removed;

    CallMeters(MeterRegistry registry, String destination) {
        this.registry = registry;
        this.destination = destination;
        this.attempts = Counter.builder("iocluster.attempts")
                .description("Attempts at calls, repeated ones included")
                .tag("destination", destination)
                .register(registry);
        this.retryBudgetExhausted = Counter.builder("iocluster.destination.retry.budget.exhausted")
                .description("Retries for which the budget had no room")
                .tag("destination", destination)
                .register(registry);
    }

    /** The name that its series have. */
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
                .description("Calls that wait with the broker before they are retried")
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
        return timer == null ? make(index, outcome, STATUSES[statusClass]) : timer;
    }

    private synchronized Timer make(int index, Outcome outcome, String status) {
        // The registry gives the same timer to whoever asks twice.
        Timer timer = Timer.builder("iocluster.call.duration")
                .description("Calls from when their message was taken to their end")
                .tag("destination", destination)
                .tag("outcome", outcome.wireName())
                .tag("status", status)
                .serviceLevelObjectives(HistogramBuckets.forCallDurations())
                .register(registry);
        if (removed) {
            // A call that ended just now must not bring its series back; it goes uncounted.
            registry.remove(timer);
        } else {
            calls.set(index, timer);
        }
        return timer;
    }

    /** How many attempts and ends of calls were counted. */
    long eventCount() {
        double events = attempts.count();
        for (int i = 0; i < calls.length(); i++) {
            Timer timer = calls.get(i);
            events += timer == null ? 0 : timer.count();
        }
        return (long) events;
    }

    /** Takes its series out of the registry, for good. */
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
