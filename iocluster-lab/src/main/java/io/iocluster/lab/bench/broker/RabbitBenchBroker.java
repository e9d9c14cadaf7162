package io.iocluster.lab.bench.broker;

import io.iocluster.testkit.rabbit.RabbitProcess;

/** A single RabbitMQ node. */
public final class RabbitBenchBroker implements BenchBroker {

    private final RabbitProcess broker = RabbitProcess.launch();
    private final BenchQueueType type;
    private int created;

    /** Starts the broker. */
    public RabbitBenchBroker(BenchQueueType type) {
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
    public BenchQueues newQueues(int partitions) {
        RabbitBenchQueues queues = new RabbitBenchQueues(broker, "bench-" + created++);
        queues.names().forEach(name -> broker.declareQueue(name, type.arguments()));
        return queues;
    }

    @Override
    public int partitions() {
        return 0;
    }

    @Override
    public void close() {
        broker.close();
    }
}
