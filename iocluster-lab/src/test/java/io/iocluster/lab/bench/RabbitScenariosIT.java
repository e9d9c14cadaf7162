package io.iocluster.lab.bench;

import io.iocluster.lab.bench.broker.BenchBroker;
import io.iocluster.lab.bench.broker.BenchQueueType;
import io.iocluster.lab.bench.broker.RabbitBenchBroker;

class RabbitScenariosIT extends ScenarioTestBase {

    @Override
    BenchBroker launch() {
        return new RabbitBenchBroker(BenchQueueType.QUORUM);
    }
}
