package io.iocluster.lab.load.run;

import io.iocluster.lab.load.result.LatencyHistogram;
import io.iocluster.lab.load.result.NodeShare;
import io.iocluster.lab.load.result.OutcomeCode;
import io.iocluster.lab.load.result.TemplateResult;
import io.iocluster.message.Answer.Timing;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.ConcurrentHistogram;

/** Counts the calls of one template in one phase. Its memory is bounded. Thread-safe. */
final class TemplateRecorder {

    /** A node has fewer codes and a target fewer statuses; further ones count together. */
    private static final int MAX_CODES = 200;

    private static final String OTHER_CODES = "other";

    /** The codes of calls that were not sent, so that their latency says nothing about the system. */
    private static final Set<String> NOT_SENT =
            Set.of(OutcomeCode.CLIENT_FULL, OutcomeCode.NOT_ENQUEUED, OutcomeCode.GENERATOR_ERROR);

    private final String name;
    private final LongAdder started = new LongAdder();
    private final LongAdder full = new LongAdder();
    private final LongAdder errors = new LongAdder();
    private final Map<String, LongAdder> outcomes = new ConcurrentHashMap<>();
    private final ConcurrentHistogram latency = histogram();
    private final ConcurrentHistogram errorLatency = histogram();
    private final ConcurrentHistogram queue = histogram();
    private final ConcurrentHistogram wait = histogram();
    private final ConcurrentHistogram attempt = histogram();

    TemplateRecorder(String name) {
        this.name = name;
    }

    static ConcurrentHistogram histogram() {
        ConcurrentHistogram histogram = new ConcurrentHistogram(LatencyHistogram.DIGITS);
        histogram.setAutoResize(true);
        return histogram;
    }

    static long micros(long nanos) {
        return Math.max(0, Math.min(LatencyHistogram.MAX_MICROS, TimeUnit.NANOSECONDS.toMicros(nanos)));
    }

    void started() {
        started.increment();
    }

    /** Returns whether the latency is one of the system under test. */
    boolean ended(String code, boolean success, long nanos, Timing timing) {
        outcome(code).increment();
        if (!success) {
            errors.increment();
        }
        if (NOT_SENT.contains(code)) {
            full.increment();
            return false;
        }
        latency.recordValue(micros(nanos));
        if (!success) {
            errorLatency.recordValue(micros(nanos));
        }
        if (timing != null) {
            long attemptMillis = timing.dnsMs() + timing.connectMs() + timing.tlsMs() + timing.firstByteMs();
            queue.recordValue(millisToMicros(timing.queuedMs()));
            wait.recordValue(millisToMicros(timing.totalMs() - attemptMillis));
            attempt.recordValue(millisToMicros(attemptMillis));
        }
        return true;
    }

    /** Limits a figure of a node, which is untrusted input. */
    private static long millisToMicros(long millis) {
        return micros(TimeUnit.MILLISECONDS.toNanos(Math.max(0, millis)));
    }

    private LongAdder outcome(String code) {
        LongAdder known = outcomes.get(code);
        if (known != null) {
            return known;
        }
        String key = outcomes.size() < MAX_CODES ? code : OTHER_CODES;
        return outcomes.computeIfAbsent(key, any -> new LongAdder());
    }

    /** Returns the number of calls that were sent. */
    long sent() {
        return started.sum() - full.sum();
    }

    /** Returns the number of calls that have not ended. */
    long outstanding() {
        return started.sum()
                - outcomes.values().stream().mapToLong(LongAdder::sum).sum();
    }

    /** Returns the figures. Calls that have not ended count as unanswered. */
    TemplateResult result() {
        Map<String, Long> counts = new TreeMap<>();
        outcomes.forEach((code, count) -> counts.put(code, count.sum()));
        long missing = started.sum()
                - counts.values().stream().mapToLong(Long::longValue).sum();
        if (missing > 0) {
            counts.merge(OutcomeCode.UNANSWERED, missing, Long::sum);
        }
        return new TemplateResult(
                name,
                sent(),
                counts,
                errors.sum() + Math.max(0, missing),
                LatencyHistogram.copyOf(latency),
                LatencyHistogram.copyOf(errorLatency),
                new NodeShare(
                        LatencyHistogram.copyOf(queue),
                        LatencyHistogram.copyOf(wait),
                        LatencyHistogram.copyOf(attempt)));
    }
}
