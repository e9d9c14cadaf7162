package io.iocluster.bench;

/** One kind of load. */
interface Scenario {

    /** As the command line and the report name it. */
    String name();

    /** Measures the subject once, on fresh queues. */
    Measurement measure(Lab lab, Subject subject, int round, BenchOptions options);
}
