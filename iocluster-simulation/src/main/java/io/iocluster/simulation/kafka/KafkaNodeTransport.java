package io.iocluster.simulation.kafka;

import io.iocluster.transport.RequestSource;
import io.iocluster.transport.ResponseSink;
import io.iocluster.transport.Transport;
import java.util.function.UnaryOperator;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.producer.Producer;

/** The real Kafka transport of one node, with simulated clients. */
public final class KafkaNodeTransport implements Transport {

    private final RequestSource source;
    private final ResponseSink sink;
    private final SimulatedKafkaClients clients;

    KafkaNodeTransport(RequestSource source, ResponseSink sink, SimulatedKafkaClients clients) {
        this.source = source;
        this.sink = sink;
        this.clients = clients;
    }

    /** Replaces each consumer that the node opens from now on. */
    public void replaceConsumers(UnaryOperator<Consumer<byte[], byte[]>> replacement) {
        clients.replaceConsumers(replacement);
    }

    /** Replaces each producer that the node opens from now on. */
    public void replaceProducers(UnaryOperator<Producer<byte[], byte[]>> replacement) {
        clients.replaceProducers(replacement);
    }

    @Override
    public String name() {
        return "kafka";
    }

    @Override
    public RequestSource source() {
        return source;
    }

    @Override
    public ResponseSink sink() {
        return sink;
    }
}
