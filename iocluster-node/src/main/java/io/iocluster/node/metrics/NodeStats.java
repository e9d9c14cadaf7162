package io.iocluster.node.metrics;

import io.iocluster.status.StatusField;
import java.time.Duration;
import java.util.List;

/**
 * Totals of a node since its start. Clients compute rates, percentiles and CPU use from two of them. The counts never decrease.
 *
 */
public record NodeStats(
        @StatusField(doc = "messages read from the queue") long received,

        @StatusField(doc = "messages whose answers or dead letters were confirmed")
        long acknowledged,

        @StatusField(doc = "messages released back to the queue")
        long released,

        @StatusField long deadLetters,

        @StatusField(doc = "calls without an answer from the target")
        long failures,

        @StatusField(doc = "attempts that were retries") long retries,

        @StatusField(name = "cpuMillis", doc = "CPU time of the process, summed over all CPUs")
        Duration cpuTime,

        @StatusField(min = 1, doc = "cores that the process may use")
        int cpus,

        @StatusField(doc = DurationBucket.DOC) List<DurationBucket> durations) {

    public NodeStats {
        durations = List.copyOf(durations);
    }

    /**
     * Number of calls of one duration, with a resolution of one sixteenth.
     *
     * @param upperBoundNanos upper bound of the bucket, inclusive
     */
    public record DurationBucket(
            long upperBoundNanos, @StatusField long calls) {

        static final String DOC = "durations of ended calls without the queue wait: buckets with a resolution of one"
                + " sixteenth, shortest first, without empty ones";

        private static final double NANOS_PER_MILLI = 1e6;

        @StatusField(doc = "upper bound of the bucket, inclusive")
        double upToMillis() {
            return upperBoundNanos / NANOS_PER_MILLI;
        }
    }

    /** Totals and the uptime of the node, by which clients divide. Both start at zero with the process. */
    public record Timed(
            @StatusField(
                    name = "uptimeMillis",
                    doc =
                            "uptime, to compute rates; it is smaller than before after a restart, when all totals start at"
                                    + " zero")
            Duration uptime,

            @StatusField(inline = true) NodeStats totals) {}
}
