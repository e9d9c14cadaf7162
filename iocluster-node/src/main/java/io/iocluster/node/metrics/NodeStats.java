package io.iocluster.node.metrics;

import java.time.Duration;
import java.util.List;

/**
 * Totals of a node since its start. Clients compute rates, percentiles and CPU use from two of them. The counts never decrease.
 *
 * @param received messages read from the source
 * @param failures calls without an answer
 * @param retries attempts that were retries
 * @param cpuTime CPU time of the process, summed over all CPUs
 * @param cpus number of CPUs that the process may use
 * @param durations durations of ended calls, shortest first, without empty buckets
 */
public record NodeStats(
        long received,
        long acknowledged,
        long released,
        long deadLetters,
        long failures,
        long retries,
        Duration cpuTime,
        int cpus,
        List<DurationBucket> durations) {

    public NodeStats {
        durations = List.copyOf(durations);
    }

    /**
     * Number of calls of one duration, with a resolution of one sixteenth.
     *
     * @param upperBoundNanos upper bound of the bucket, inclusive
     */
    public record DurationBucket(long upperBoundNanos, long calls) {}
}
