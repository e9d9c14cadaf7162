package io.iocluster.node.metrics;

import java.time.Duration;
import java.util.List;

/**
 * What a node has counted since its start, for those who look at it again and again and show what came in between: rates,
 * percentiles, CPU. Every number only grows.
 *
 * @param received messages taken from the source
 * @param failures calls that were not answered
 * @param retries attempts made again
 * @param cpuTime of the process, all its threads together
 * @param cpus that the process may use
 * @param durations of the calls that have ended, shortest first; those that no call took are left out
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
     * The calls that took as long, give or take a sixteenth.
     *
     * @param upToNanos the longest that counts
     */
    public record DurationBucket(long upperBoundNanos, long calls) {}
}
