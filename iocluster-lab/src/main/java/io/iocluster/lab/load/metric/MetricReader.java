package io.iocluster.lab.load.metric;

import java.io.IOException;
import java.util.List;
import java.util.Map;

/** Reads metrics of the system under test. Called by one thread at a time; methods may block for some seconds. */
public interface MetricReader extends AutoCloseable {

    /** Reads nothing: the driver of a run reads the metrics for all agents. */
    MetricReader NONE = List::of;

    /**
     * Reads all metrics once. Called before the run, in each interval, and after the run.
     *
     * @return the values that could be read
     * @throws IOException if a source cannot be read at all; the message is for the user, and is shown once
     */
    List<Reading> read() throws IOException, InterruptedException;

    /** Returns the version of each node by its id, for the report; empty if unknown. */
    default Map<String, String> nodeVersions() {
        return Map.of();
    }

    @Override
    default void close() {}

    /**
     * One value.
     *
     * @param name as in {@link io.iocluster.lab.load.result.MetricSeries}
     */
    record Reading(String name, String unit, double value) {}
}
