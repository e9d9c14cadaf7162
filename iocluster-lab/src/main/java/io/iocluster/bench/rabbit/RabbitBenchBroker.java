package io.iocluster.bench.rabbit;

import io.iocluster.bench.queue.BenchBroker;
import io.iocluster.bench.queue.BenchQueues;
import io.iocluster.testkit.broker.RabbitProcess;

/** A RabbitMQ of one node. */
public final class RabbitBenchBroker implements BenchBroker {

    private final RabbitProcess broker = RabbitProcess.launch();
    private final QueueType type;
    private int made;

    /** Starts the broker. */
    public RabbitBenchBroker(QueueType type) {
        this.type = type;
    }

    @Override
    public String title() {
        return "RabbitMQ, " + type.label() + " queues";
    }

    @Override
    public long pid() {
        return broker.pid();
    }

    @Override
    public BenchQueues newQueues() {
        RabbitQueues queues = new RabbitQueues(broker, "bench-" + made++);
        queues.names().forEach(name -> broker.declareQueue(name, type.arguments()));
        return queues;
    }

    @Override
    public void close() {
        broker.close();
    }
}
