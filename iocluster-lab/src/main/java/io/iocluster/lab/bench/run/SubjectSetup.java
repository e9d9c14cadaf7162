package io.iocluster.lab.bench.run;

import io.iocluster.lab.bench.queue.BenchQueues;
import io.iocluster.lab.bench.queue.LoadPattern;
import java.util.Map;

/**
 * What a subject is told.
 *
 * @param settings node settings by path, where the bench's user does not say something else
 */
public record SubjectSetup(BenchQueues queues, int maxInFlight, LoadPattern load, Map<String, String> settings) {

    public SubjectSetup(BenchQueues queues, int maxInFlight, LoadPattern load) {
        this(queues, maxInFlight, load, Map.of());
    }
}
