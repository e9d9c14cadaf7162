package io.iocluster.lab.bench.broker;

import io.iocluster.testkit.kafka.KafkaProcess;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;

/** A single Kafka broker. */
public final class KafkaBenchBroker implements BenchBroker {

    private final KafkaProcess broker = KafkaProcess.launch();
    private final Admin admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrapServers()));
    private final int partitions;
    private final int lingerMillis;
    private int created;

    /**
     * Starts the broker.
     *
     * @param partitions of each topic
     * @param lingerMillis {@code linger.ms} of the naive loop, for a backlog
     */
    public KafkaBenchBroker(int partitions, int lingerMillis) {
        this.partitions = partitions;
        this.lingerMillis = lingerMillis;
    }

    @Override
    public String title() {
        return "Kafka, " + partitions + " partitions";
    }

    @Override
    public long pid() {
        return broker.pid();
    }

    @Override
    public int partitions() {
        return partitions;
    }

    @Override
    public BenchQueues newQueues(int partitionsOfEach) {
        KafkaBenchQueues queues = new KafkaBenchQueues(
                admin, broker.bootstrapServers(), "bench-" + created++, partitionsOfEach, lingerMillis);
        Stream.of(queues.requests(), queues.answersTopic(), queues.deadLettersTopic())
                .forEach(topic -> broker.createTopic(topic, partitionsOfEach, Map.of()));
        return queues;
    }

    @Override
    public void close() {
        admin.close(Duration.ofSeconds(2));
        broker.close();
    }
}
