package io.iocluster.node.metrics;

import io.iocluster.hedge.HedgeResult;
import io.iocluster.http.HttpRequest;
import io.iocluster.http.HttpResult;
import io.iocluster.message.Answer;
import io.iocluster.message.ErrorCode;
import io.iocluster.message.Outcome;
import io.iocluster.node.window.CodeTotals;
import io.iocluster.node.window.CodeTotals.NotMade;
import io.iocluster.node.window.RecentFailures;
import io.iocluster.pipeline.event.CallTap;
import io.iocluster.pipeline.event.PipelineEvents;
import io.iocluster.trace.Traced;
import io.iocluster.transport.IgnoredInput;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * Counts the events of a pipeline. Every call passes here, so each meter is looked up once and kept. Thread-safe.
 */
final class PipelineMetrics implements PipelineEvents {

    private final MeterRegistry registry;
    private final DestinationMeterRegistry destinations;
    private final ExemplarSpanContext trace;
    private final RecentFailures recentFailures;
    private final CallTap tap;
    private final DurationHistogram durations = new DurationHistogram();
    private final Counter received;
    private final Timer queueWait;
    private final Timer endToEnd;
    private final Counter acknowledged;
    private final Counter released;
    private final Counter republished;
    private final Counter divertedToConfigured;
    private final Counter divertedToDeadLetters;
    private final Counter workersReplaced;
    private final Counter watchdogTimeouts;
    private final Counter truncatedAnswers;
    private final Counter truncatedDeadLetters;
    private final Map<ErrorCode, Counter> failures = new EnumMap<>(ErrorCode.class);
    private final Map<ErrorCode, Counter> deadLetters = new EnumMap<>(ErrorCode.class);
    private final Map<ErrorCode, Counter> egressViolations = new EnumMap<>(ErrorCode.class);
    private final Map<IgnoredInput, Counter> ignoredInputs = new EnumMap<>(IgnoredInput.class);
    private final Map<String, Counter> retries = new ConcurrentHashMap<>();

    PipelineMetrics(
            MeterRegistry registry,
            String transport,
            DestinationMeterRegistry destinations,
            RecentFailures recentFailures,
            ExemplarSpanContext trace,
            CallTap tap) {
        this.registry = registry;
        this.tap = tap;
        this.trace = trace;
        this.destinations = destinations;
        this.recentFailures = recentFailures;
        this.received = Counter.builder("iocluster.received")
                .description("Messages read from the queue")
                .tag("transport", transport)
                .register(registry);
        this.queueWait = wait("iocluster.queue.wait", "Time from a message's timestamp to its receipt", transport);
        this.endToEnd = wait("iocluster.end.to.end", "Time from a message's timestamp to its settlement", transport);
        this.acknowledged = settled("acknowledged");
        this.released = settled("released");
        this.republished = Counter.builder("iocluster.answers.republished")
                .description("Publishes of answers and dead letters whose earlier publish failed")
                .register(registry);
        this.divertedToConfigured = diverted("configured");
        this.divertedToDeadLetters = diverted("dead-letters");
        this.workersReplaced = Counter.builder("iocluster.workers.replaced")
                .description("Workers that died and were replaced")
                .register(registry);
        this.watchdogTimeouts = Counter.builder("iocluster.watchdog.timeouts")
                .description("Calls that the watchdog ended because they outlived their deadline by a second")
                .register(registry);
        this.truncatedAnswers = truncated("answer");
        this.truncatedDeadLetters = truncated("dead-letter");
        for (IgnoredInput input : IgnoredInput.values()) {
            ignoredInputs.put(
                    input,
                    Counter.builder("iocluster.ignored.inputs")
                            .description("Parts of messages that are not valid and were ignored")
                            .tag("input", input.label())
                            .register(registry));
        }
        for (ErrorCode code : ErrorCode.values()) {
            failures.put(code, codeCounter("iocluster.failures", "Calls without an answer from the target", code));
            deadLetters.put(code, codeCounter("iocluster.dead.letters", "Messages that became dead letters", code));
            egressViolations.put(
                    code,
                    codeCounter(
                            "iocluster.egress.violations", "Egress violations that egress.mode report allowed", code));
        }
    }

    private Timer wait(String name, String description, String transport) {
        return Timer.builder(name)
                .description(description)
                .tag("transport", transport)
                .serviceLevelObjectives(HistogramBuckets.forQueueWaits())
                .register(registry);
    }

    private Counter settled(String settlement) {
        return Counter.builder("iocluster.settled")
                .description("Settled messages")
                .tag("settlement", settlement)
                .register(registry);
    }

    private Counter diverted(String to) {
        return Counter.builder("iocluster.answers.diverted")
                .description("Answers that could not be published to their reply-to")
                .tag("to", to)
                .register(registry);
    }

    private Counter truncated(String message) {
        return Counter.builder("iocluster.messages.truncated")
                .description("Messages that were truncated because they were too large for their topic or queue")
                .tag("message", message)
                .register(registry);
    }

    private Counter codeCounter(String name, String description, ErrorCode code) {
        return Counter.builder(name)
                .description(description)
                .tag("code", code.wireName())
                .register(registry);
    }

    /** Returns the number of messages acknowledged since the start. */
    long acknowledgedCount() {
        return (long) acknowledged.count();
    }

    /** Returns the number of calls that the node has not made, because they waited for too long. */
    long notMadeCount() {
        return (long) CodeTotals.NOT_MADE.stream()
                .mapToDouble(code -> failures.get(code).count())
                .sum();
    }

    @Override
    public void received(long queuedMillis) {
        received.increment();
        if (queuedMillis >= 0) {
            queueWait.record(queuedMillis, TimeUnit.MILLISECONDS);
        }
    }

    @Override
    public void inputIgnored(IgnoredInput input) {
        ignoredInputs.get(input).increment();
    }

    @Override
    public void redelivered(String destination) {
        destinations.getOrAdmit(destination).redelivered().increment();
    }

    @Override
    public void attempted(String destination, int bodyBytes) {
        CallMeters meters = destinations.getOrAdmit(destination);
        meters.attempts().increment();
        meters.requestBytes().increment(bodyBytes);
    }

    @Override
    public void attemptEnded(String destination, HttpResult result, long nanos) {
        CallMeters meters = destinations.get(destination);
        meters.attemptResults().record(result, nanos);
        if (result instanceof HttpResult.Response response) {
            meters.responseBytes().increment(response.body().length);
        }
    }

    @Override
    public void hedged(String destination, HedgeResult result) {
        destinations.getOrAdmit(destination).hedges().increment(result.label());
    }

    @Override
    public void retried(String destination, String reason) {
        // A plain get first, because computeIfAbsent may lock even if the key exists.
        Counter counter = retries.get(reason);
        if (counter == null) {
            counter = retries.computeIfAbsent(reason, this::createRetryCounter);
        }
        counter.increment();
    }

    private Counter createRetryCounter(String reason) {
        return Counter.builder("iocluster.retries")
                .description("Attempts that were retries")
                .tag("reason", reason)
                .register(registry);
    }

    @Override
    public void delayed(String destination, String reason) {
        destinations.getOrAdmit(destination).delayed().increment(reason);
    }

    @Override
    public void callEnded(String destination, Outcome outcome, int status, ErrorCode error, long nanos, Traced call) {
        trace.record(
                destinations.getOrAdmit(destination).callTimer(outcome, status), nanos, TimeUnit.NANOSECONDS, call);
        durations.record(nanos);
        if (error != null) {
            failures.get(error).increment();
        }
    }

    @Override
    public void callError(String destination, ErrorCode error) {
        CallMeters meters = destination == null ? destinations.getOrAdmit(null) : destinations.get(destination);
        meters.errors().increment();
        if (error != null) {
            meters.failures().increment(error.wireName());
        }
    }

    @Override
    public void callFailed(String id, String destination, ErrorCode error, String message, int attempts) {
        recentFailures.add(id, destination, error, message, attempts);
    }

    @Override
    public boolean isTapped() {
        return tap.isTapped();
    }

    @Override
    public void callTapped(String position, String destination, HttpRequest request, Answer answer) {
        tap.callTapped(position, destination, request, answer);
    }

    @Override
    public void acknowledged(long endToEndMillis, Traced call) {
        acknowledged.increment();
        if (endToEndMillis >= 0) {
            trace.record(endToEnd, endToEndMillis, TimeUnit.MILLISECONDS, call);
        }
    }

    @Override
    public void released() {
        released.increment();
    }

    @Override
    public void deadLettered(ErrorCode code) {
        deadLetters.get(code).increment();
    }

    @Override
    public void answerRepublished() {
        republished.increment();
    }

    @Override
    public void answerDiverted(boolean toDeadLetters) {
        (toDeadLetters ? divertedToDeadLetters : divertedToConfigured).increment();
    }

    @Override
    public void answerTruncated() {
        truncatedAnswers.increment();
    }

    @Override
    public void deadLetterTruncated() {
        truncatedDeadLetters.increment();
    }

    @Override
    public void egressViolation(ErrorCode code) {
        egressViolations.get(code).increment();
    }

    @Override
    public void watchdogTimeout(String destination) {
        watchdogTimeouts.increment();
    }

    @Override
    public void workerReplaced(String worker) {
        workersReplaced.increment();
    }

    /** Returns the totals since the start. */
    NodeStats stats(Duration cpuTime, int cpus) {
        return new NodeStats(
                (long) received.count(),
                (long) acknowledged.count(),
                (long) released.count(),
                sum(deadLetters.values()),
                sum(failures.values()),
                sum(retries.values()),
                cpuTime,
                cpus,
                durations.buckets());
    }

    /** Returns the totals since the start by code. */
    CodeTotals codeTotals() {
        return new CodeTotals((long) received.count(), byCode(failures), byCode(deadLetters), notMade());
    }

    private Map<NotMade, Long> notMade() {
        Map<NotMade, Long> counts = new HashMap<>();
        for (CallMeters each : destinations.all()) {
            Map<String, Long> failed = each.failures().counts();
            CodeTotals.NOT_MADE.forEach(code -> {
                Long count = failed.get(code.wireName());
                if (count != null) {
                    counts.put(new NotMade(each.destination(), code), count);
                }
            });
        }
        return counts;
    }

    private static Map<ErrorCode, Long> byCode(Map<ErrorCode, Counter> counters) {
        Map<ErrorCode, Long> counts = new EnumMap<>(ErrorCode.class);
        counters.forEach((code, counter) -> {
            if (counter.count() > 0) {
                counts.put(code, (long) counter.count());
            }
        });
        return counts;
    }

    private static long sum(Collection<Counter> counters) {
        return (long) counters.stream().mapToDouble(Counter::count).sum();
    }
}
