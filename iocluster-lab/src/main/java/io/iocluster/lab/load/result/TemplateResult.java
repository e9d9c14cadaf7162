package io.iocluster.lab.load.result;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The calls of one request template in one phase.
 *
 * @param sent number of calls that were sent
 * @param outcomes number of ended calls by code: the HTTP status, an error code of the node, or a code of {@link OutcomeCode}
 * @param errors number of calls without a successful answer, {@code unanswered} included
 * @param latency from when a call was due to when its answer was read, of all calls that were due; those that were not sent, or had
 *     no answer at the end, count as slower than all others
 * @param errorLatency the same, only of answers that are errors
 * @param node the node's share of the latency, from the answers' timing; empty histograms with plain HTTP
 */
public record TemplateResult(
        String template,
        long sent,
        Map<String, Long> outcomes,
        long errors,
        LatencyHistogram latency,
        LatencyHistogram errorLatency,
        NodeShare node) {

    public TemplateResult {
        outcomes = java.util.Collections.unmodifiableMap(new TreeMap<>(outcomes));
    }

    /** Returns the number of ended calls. */
    public long ended() {
        return outcomes.values().stream().mapToLong(Long::longValue).sum();
    }

    /** Returns the share of errors among the ended calls; 0 if there are none. */
    public double errorShare() {
        long ended = ended();
        return ended == 0 ? 0 : (double) errors / ended;
    }

    /** Returns the number of calls that no answer ended. */
    public long unanswered() {
        return outcomes.getOrDefault(OutcomeCode.UNANSWERED, 0L);
    }

    /** Returns the figures of several templates, phases or agents together. */
    public static TemplateResult sum(String name, List<TemplateResult> parts) {
        Map<String, Long> outcomes = new TreeMap<>();
        parts.forEach(part -> part.outcomes.forEach((code, count) -> outcomes.merge(code, count, Long::sum)));
        return new TemplateResult(
                name,
                parts.stream().mapToLong(TemplateResult::sent).sum(),
                outcomes,
                parts.stream().mapToLong(TemplateResult::errors).sum(),
                LatencyHistogram.sum(parts.stream().map(TemplateResult::latency).toList()),
                LatencyHistogram.sum(
                        parts.stream().map(TemplateResult::errorLatency).toList()),
                NodeShare.sum(parts.stream().map(TemplateResult::node).toList()));
    }
}
