package io.iocluster.node.metrics;

import io.iocluster.node.metrics.NodeStats.DurationBucket;
import io.iocluster.status.StatusField;
import java.util.List;
import java.util.Map;

/**
 * What a destination answered since the start. The counts restart at zero if the destination lost its label in between.
 *
 * @param destination the label in the metrics
 */
public record DestinationAttempts(
        @StatusField(
                name = "name",
                doc = "the configured name, else `host:port`; `other` for all that have no name in the metrics")
        String destination,

        @StatusField(doc = "attempts by exact HTTP status; `other` from the eleventh status on")
        Map<String, Long> statuses,

        @StatusField(doc = "calls without an answer, by error code")
        Map<String, Long> failures,

        @StatusField(doc = "answers of attempts that are not usable by the rule of their call, by reason")
        Map<String, Long> unusable,

        @StatusField(
                doc = "second attempts of slow calls, by how they ended or why they did not start: `won`, `lost`,"
                        + " `failed`, `cancelled`, `over-budget`, `saturated`")
        Map<String, Long> hedges,

        @StatusField(doc = "calls of messages that are known to be delivered again")
        long redelivered,

        @StatusField(doc = DurationBucket.DOC) List<DurationBucket> durations) {

    /** All destinations: the response of {@code /api/attempts}. */
    public record All(@StatusField List<DestinationAttempts> destinations) {}

    public DestinationAttempts {
        durations = List.copyOf(durations);
    }
}
