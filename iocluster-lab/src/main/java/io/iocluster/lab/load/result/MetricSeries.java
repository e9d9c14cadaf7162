package io.iocluster.lab.load.result;

import java.util.List;

/**
 * The samples of a metric.
 *
 * @param name name of the query in the experiment, the PromQL of an expectation, or a name of this class
 * @param unit empty if unknown
 */
public record MetricSeries(String name, String unit, List<Sample> samples) {

    /** Age of the oldest message on the queue of requests; the highest of all nodes. */
    public static final String LAG_SECONDS = "lag seconds";

    /** Number of messages on the queue of requests. */
    public static final String LAG_MESSAGES = "lag messages";

    /** Calls in flight of all nodes. */
    public static final String IN_FLIGHT = "in flight";

    /** CPU of all nodes, in cores. */
    public static final String CPU_CORES = "cpu cores";

    public MetricSeries {
        samples = List.copyOf(samples);
    }

    /**
     * One value.
     *
     * @param seconds since the start of the run; negative before it
     */
    public record Sample(double seconds, double value) {}
}
