package io.iocluster.simulation.defect;

import io.iocluster.simulation.cluster.Wiring;
import io.iocluster.simulation.kafka.KafkaNodeTransport;
import io.iocluster.testkit.simulation.SimulatedProcess;
import io.iocluster.transport.Transport;
import java.util.concurrent.Future;
import java.util.function.UnaryOperator;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.errors.RetriableException;

/** Defects of the Kafka sink: how it uses its producers. Nothing is defective with another broker. */
@SuppressWarnings("UnusedMethod") // Overrides calls them.
final class ProducerDefects {

    private ProducerDefects() {}

    private static Wiring of(UnaryOperator<Producer<byte[], byte[]>> defect) {
        return new Wiring() {

            @Override
            public Transport transport(SimulatedProcess process, Transport correct) {
                if (correct instanceof KafkaNodeTransport kafka) {
                    kafka.replaceProducers(defect);
                }
                return correct;
            }
        };
    }

    @SuppressWarnings("unchecked") // The proxy has the type of the producer.
    private static Producer<byte[], byte[]> defective(Producer<byte[], byte[]> correct, Object defect) {
        return Overrides.of(Producer.class, correct, defect);
    }

    /** Takes a record that the broker refuses for a stored one. */
    static Wiring ignoresRefusals() {
        return of(producer -> defective(producer, new Object() {

            Future<RecordMetadata> send(ProducerRecord<byte[], byte[]> record, Callback callback) {
                return producer.send(
                        record,
                        (stored, failure) ->
                                callback.onCompletion(stored, failure instanceof RetriableException ? failure : null));
            }
        }));
    }
}
