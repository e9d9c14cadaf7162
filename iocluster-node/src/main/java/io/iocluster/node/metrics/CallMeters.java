package io.iocluster.node.metrics;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.iocluster.hedge.HedgeResult;
import io.iocluster.message.ErrorCode;
import io.iocluster.message.Outcome;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.concurrent.atomic.AtomicReferenceArray;

/** The meters of one destination label. Timers are created on first use. Thread-safe. */
final class CallMeters {

    /** Maximum number of reasons of delayed calls with a separate series. */
    private static final int MAX_DELAY_REASONS = 20;

    private static final String[] STATUSES = {"none", "1xx", "2xx", "3xx", "4xx", "5xx"};

    private final MeterRegistry registry;
    private final String destination;
    private final Counter attempts;
    private final Counter requestBytes;
    private final Counter responseBytes;
    private final Counter retryBudgetExhausted;
    private final Counter redelivered;
    private final AtomicReferenceArray<Timer> calls =
            new AtomicReferenceArray<>(Outcome.values().length * STATUSES.length);

    private final Counter errors;
    private final AttemptMeters attemptResults;
    /** By reason: an HTTP status or an error code. */
    private final CounterFamily delayed;

    private final CounterFamily failures;
    private final CounterFamily hedges;

    @GuardedBy("this")
    private boolean removed;

    CallMeters(MeterRegistry registry, String destination) {
        this.registry = registry;
        this.destination = destination;
        this.attempts = counter("iocluster.attempts", null, "Attempts, including retries");
        this.requestBytes = counter("iocluster.request.body", "bytes", "Request bodies of attempts, including retries");
        this.responseBytes = counter("iocluster.response.body", "bytes", "Response bodies, decompressed");
        this.retryBudgetExhausted = counter(
                "iocluster.destination.retry.budget.exhausted",
                null,
                "Retries refused because the retry budget was exhausted");
        this.redelivered = counter(
                "iocluster.destination.redelivered", null, "Calls of messages that are known to be delivered again");
        this.errors = counter(
                "iocluster.call.errors",
                null,
                "Calls that were not answered, or with a 4xx or 5xx that is not expected");
        this.attemptResults = new AttemptMeters(registry, destination);
        this.delayed = family(
                "iocluster.delayed", "Calls handed to the broker as delayed retries", "reason", MAX_DELAY_REASONS);
        this.failures = family(
                "iocluster.destination.failures",
                "Calls without an answer from the target",
                "code",
                ErrorCode.values().length);
        this.hedges = family(
                "iocluster.hedges",
                "Second attempts of slow calls, by how they ended or why they did not start",
                "result",
                HedgeResult.values().length);
    }

    private Counter counter(String name, String unit, String description) {
        return Counter.builder(name)
                .description(description)
                .baseUnit(unit)
                .tag("destination", destination)
                .register(registry);
    }

    private CounterFamily family(String name, String description, String label, int maxValues) {
        return new CounterFamily(registry, name, description, destination, label, maxValues);
    }

    /** Returns the value of the label {@code destination}. */
    String destination() {
        return destination;
    }

    Counter attempts() {
        return attempts;
    }

    /** Returns the counter of the bytes of request bodies, including retries. */
    Counter requestBytes() {
        return requestBytes;
    }

    /** Returns the counter of the bytes of response bodies, decompressed and truncated at the limit. */
    Counter responseBytes() {
        return responseBytes;
    }

    Counter retryBudgetExhausted() {
        return retryBudgetExhausted;
    }

    /** Calls of messages that are known to be delivered again. */
    Counter redelivered() {
        return redelivered;
    }

    AttemptMeters attemptResults() {
        return attemptResults;
    }

    /** Calls delayed, by reason: an HTTP status or an error code. */
    CounterFamily delayed() {
        return delayed;
    }

    /** Calls that ended with an error. */
    Counter errors() {
        return errors;
    }

    /** Calls without an answer, by error code. */
    CounterFamily failures() {
        return failures;
    }

    /** Second attempts of slow calls, by their result. */
    CounterFamily hedges() {
        return hedges;
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
        registry.remove(requestBytes);
        registry.remove(responseBytes);
        registry.remove(retryBudgetExhausted);
        registry.remove(redelivered);
        registry.remove(errors);
        attemptResults.remove();
        delayed.remove();
        failures.remove();
        hedges.remove();
        for (int i = 0; i < calls.length(); i++) {
            Timer timer = calls.get(i);
            if (timer != null) {
                registry.remove(timer);
            }
        }
    }
}
