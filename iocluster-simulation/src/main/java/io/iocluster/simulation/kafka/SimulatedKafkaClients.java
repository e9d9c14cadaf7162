package io.iocluster.simulation.kafka;

import io.iocluster.kafka.config.KafkaClients;
import io.iocluster.testkit.simulation.SimulatedProcess;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ShareConsumer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.serialization.Deserializer;

/** Opens the clients of one simulated process. Confined to the thread of the simulation. */
final class SimulatedKafkaClients implements KafkaClients {

    private final KafkaBroker broker;
    private final SimulatedProcess process;
    private UnaryOperator<Consumer<byte[], byte[]>> consumers = UnaryOperator.identity();
    private UnaryOperator<Producer<byte[], byte[]>> producers = UnaryOperator.identity();

    SimulatedKafkaClients(KafkaBroker broker, SimulatedProcess process) {
        this.broker = broker;
        this.process = process;
    }

    @Override
    public Consumer<byte[], byte[]> openConsumer(
            Map<String, Object> properties, Deserializer<byte[]> keys, Deserializer<byte[]> values) {
        return consumers.apply(new SimulatedConsumer(broker, process, new ClientConfig(properties), keys, values));
    }

    void replaceConsumers(UnaryOperator<Consumer<byte[], byte[]>> by) {
        consumers = by;
    }

    void replaceProducers(UnaryOperator<Producer<byte[], byte[]>> by) {
        producers = by;
    }

    @Override
    public ShareConsumer<byte[], byte[]> openShareConsumer(
            Map<String, Object> properties, Deserializer<byte[]> keys, Deserializer<byte[]> values) {
        throw new UnsupportedOperationException("share groups are not simulated");
    }

    @Override
    public Producer<byte[], byte[]> openProducer(Map<String, Object> properties) {
        return producers.apply(new SimulatedProducer(broker, process, new ClientConfig(properties)));
    }

    @Override
    public Admin openAdmin(Map<String, Object> properties) {
        return SimulatedAdmin.open(broker, process, new ClientConfig(properties));
    }
}
