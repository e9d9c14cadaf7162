package io.iocluster.bench;

import io.iocluster.bench.kafka.KafkaBenchBroker;
import io.iocluster.bench.queue.BenchBroker;

class KafkaScenariosIT extends ScenarioSuite {

    @Override
    BenchBroker launch() {
        return new KafkaBenchBroker(3, 0);
    }
}
