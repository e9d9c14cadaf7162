package io.iocluster.lab.bench.run;

import io.iocluster.lab.bench.queue.BenchQueues;
import io.iocluster.lab.bench.queue.LoadPattern;
import java.util.Map;

/**
 * The setup of a subject.
 *
 * @param settings node settings by path; the command line overrides them
 */
public record SubjectSetup(BenchQueues queues, int maxInFlight, LoadPattern load, Map<String, String> settings) {

    public SubjectSetup(BenchQueues queues, int maxInFlight, LoadPattern load) {
        this(queues, maxInFlight, load, Map.of());
    }
}
