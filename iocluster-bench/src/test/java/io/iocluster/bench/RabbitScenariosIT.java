package io.iocluster.bench;

import io.iocluster.bench.queue.BenchBroker;
import io.iocluster.bench.rabbit.QueueType;
import io.iocluster.bench.rabbit.RabbitBenchBroker;
import org.junit.jupiter.api.Nested;

class RabbitScenariosIT {

    @Nested
    class OnQuorumQueues extends ScenarioSuite {

        @Override
        BenchBroker launch() {
            return new RabbitBenchBroker(QueueType.QUORUM);
        }
    }

    @Nested
    class OnClassicQueues extends ScenarioSuite {

        @Override
        BenchBroker launch() {
            return new RabbitBenchBroker(QueueType.CLASSIC);
        }
    }
}
