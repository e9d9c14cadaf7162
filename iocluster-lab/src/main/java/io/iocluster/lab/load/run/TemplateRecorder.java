package io.iocluster.lab.load.run;

import io.iocluster.lab.load.result.LatencyRecorder;
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

/** Counts the calls of one template in one phase. Its memory is bounded. Thread-safe. */
final class TemplateRecorder {

    /** A node has fewer codes and a target fewer statuses; further ones count together. */
    private static final int MAX_CODES = 200;

    private static final String OTHER_CODES = "other";

    /** The codes of calls that were not sent. They have no latency, but count as slower than all others: no caller got an answer. */
    private static final Set<String> NOT_SENT =
            Set.of(OutcomeCode.CLIENT_FULL, OutcomeCode.NOT_ENQUEUED, OutcomeCode.GENERATOR_ERROR);

    private final String name;
    private final LongAdder started = new LongAdder();
    private final LongAdder notSent = new LongAdder();
    private final LongAdder errors = new LongAdder();
    private final Map<String, LongAdder> outcomes = new ConcurrentHashMap<>();
    private final LatencyRecorder latency = new LatencyRecorder();
    private final LatencyRecorder errorLatency = new LatencyRecorder();
    private final LatencyRecorder queue = new LatencyRecorder();
    private final LatencyRecorder wait = new LatencyRecorder();
    private final LatencyRecorder attempt = new LatencyRecorder();
    private final LatencyRecorder rest = new LatencyRecorder();

    TemplateRecorder(String name) {
        this.name = name;
    }

    void started() {
        started.increment();
    }

    /** Returns whether the call has a latency, because it was sent. */
    boolean ended(String code, boolean success, long nanos, Timing timing) {
        outcome(code).increment();
        if (!success) {
            errors.increment();
        }
        if (NOT_SENT.contains(code)) {
            notSent.increment();
            return false;
        }
        latency.record(nanos);
        if (!success) {
            errorLatency.record(nanos);
        }
        if (timing != null) {
            long attemptMillis = timing.dnsMs() + timing.connectMs() + timing.tlsMs() + timing.firstByteMs();
            queue.record(nanos(timing.queuedMs()));
            wait.record(nanos(timing.totalMs() - attemptMillis));
            attempt.record(nanos(attemptMillis));
            rest.record(Math.max(0, nanos - nanos(timing.queuedMs()) - nanos(timing.totalMs())));
        }
        return true;
    }

    /** Converts a figure of a node, which is untrusted input. The recorder limits it. */
    private static long nanos(long millis) {
        return TimeUnit.MILLISECONDS.toNanos(millis);
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
        return started.sum() - notSent.sum();
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
                latency.histogram().withUnanswered(Math.max(0, missing) + notSent.sum()),
                errorLatency.histogram(),
                new NodeShare(queue.histogram(), wait.histogram(), attempt.histogram(), rest.histogram()));
    }
}
