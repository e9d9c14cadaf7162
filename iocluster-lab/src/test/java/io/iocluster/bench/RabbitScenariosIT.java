package io.iocluster.bench;

import io.iocluster.bench.queue.BenchBroker;
import io.iocluster.bench.rabbit.QueueType;
import io.iocluster.bench.rabbit.RabbitBenchBroker;

class RabbitScenariosIT extends ScenarioSuite {

    @Override
    BenchBroker launch() {
        return new RabbitBenchBroker(QueueType.QUORUM);
    }
}
