package io.iocluster.lab.bench;

import io.iocluster.lab.bench.queue.BenchBroker;
import io.iocluster.lab.bench.rabbit.BenchQueueType;
import io.iocluster.lab.bench.rabbit.RabbitBenchBroker;

class RabbitScenariosIT extends ScenarioTestBase {

    @Override
    BenchBroker launch() {
        return new RabbitBenchBroker(BenchQueueType.QUORUM);
    }
}
