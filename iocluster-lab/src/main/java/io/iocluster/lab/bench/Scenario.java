package io.iocluster.lab.bench;

import io.iocluster.lab.load.html.Chart;
import java.io.PrintWriter;
import java.util.List;

/** A kind of load to measure. */
interface Scenario {

    /** Returns the name in the command line and the report. */
    String name();

    /** Measures the subject once, on new queues. */
    Measurement measure(BenchEnvironment environment, Subject subject, int round, BenchOptions options);

    /** Returns whether the scenario measures this subject. */
    default boolean measures(Subject subject) {
        return true;
    }

    /** Returns the number of measurements of each subject. */
    default int rounds(BenchOptions options) {
        return options.rounds;
    }

    /** Returns charts of the measurements, for the page of the results. */
    default List<Chart> charts(List<Measurement> all) {
        return List.of();
    }

    /** Prints whether the measurements meet the targets, and returns false if they do not. */
    default boolean checkTargets(List<Measurement> all, PrintWriter out) {
        return true;
    }
}
