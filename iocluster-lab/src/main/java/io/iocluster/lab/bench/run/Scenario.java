package io.iocluster.lab.bench.run;

import java.io.PrintWriter;
import java.util.List;

/** One kind of load. */
public interface Scenario {

    /** As the command line and the report name it. */
    String name();

    /** Measures the subject once, on fresh queues. */
    Measurement measure(BenchEnvironment lab, Subject subject, int round, BenchOptions options);

    /** Whether it measures this subject. */
    default boolean measures(Subject subject) {
        return true;
    }

    /** How often each subject is measured. */
    default int rounds(BenchOptions options) {
        return options.rounds();
    }

    /** Prints whether what it measured keeps what is promised, where something is; false if it does not. */
    default boolean checkTargets(List<Measurement> all, PrintWriter out) {
        return true;
    }
}
