package io.iocluster.bench;

import io.iocluster.bench.queue.BenchQueues;
import io.iocluster.bench.queue.Load;
import java.util.Map;

/**
 * What a subject is told.
 *
 * @param settings node settings by path, where the bench's user does not say something else
 */
record SubjectSetup(BenchQueues queues, int maxInFlight, Load load, Map<String, String> settings) {

    SubjectSetup(BenchQueues queues, int maxInFlight, Load load) {
        this(queues, maxInFlight, load, Map.of());
    }
}
