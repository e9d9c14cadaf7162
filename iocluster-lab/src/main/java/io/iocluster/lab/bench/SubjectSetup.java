package io.iocluster.lab.bench;

import io.iocluster.lab.bench.broker.BenchQueues;
import io.iocluster.lab.bench.broker.LoadPattern;
import java.util.Map;

/**
 * The setup of a subject.
 *
 * @param settings node settings by path; the command line overrides them
 */
record SubjectSetup(BenchQueues queues, int maxInFlight, LoadPattern load, Map<String, String> settings) {

    public SubjectSetup(BenchQueues queues, int maxInFlight, LoadPattern load) {
        this(queues, maxInFlight, load, Map.of());
    }
}
