package io.iocluster.node.metrics;

import io.iocluster.node.metrics.NodeStats.DurationBucket;
import java.util.List;
import java.util.Map;

/**
 * What a destination answered since the start. The counts restart at zero if the destination lost its label in between.
 *
 * @param destination the label in the metrics
 * @param statuses attempts by exact HTTP status
 * @param failures calls without an answer, by error code
 * @param unusable answers of attempts that are not usable, by reason
 * @param hedges second attempts of slow calls, by how they ended or why they did not start
 * @param redelivered calls of messages that are known to be delivered again
 * @param durations durations of ended attempts, shortest first, without empty buckets
 */
public record DestinationAttempts(
        String destination,
        Map<String, Long> statuses,
        Map<String, Long> failures,
        Map<String, Long> unusable,
        Map<String, Long> hedges,
        long redelivered,
        List<DurationBucket> durations) {

    public DestinationAttempts {
        durations = List.copyOf(durations);
    }
}
