package io.iocluster.kafka.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import io.iocluster.kafka.config.KafkaConnections;
import io.iocluster.kafka.config.KafkaSettings.Ordering;
import io.iocluster.kafka.ledger.KafkaPartition;
import io.iocluster.kafka.ledger.TestRecords;
import io.iocluster.testkit.contract.RecordingIntake;
import io.iocluster.testkit.junit.CapturedLog;
import io.iocluster.thread.Platform;
import io.iocluster.transport.RequestSource;
import io.iocluster.transport.SourceStatus.Lag;
import java.time.Duration;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;

/** Status of a source while a producer leaves a transaction open. */
class KafkaOpenTransactionIT extends KafkaSourceTestBase {

    @Test
    void reportsAnOpenTransactionThatBlocksItsPartitionUntilItEnds() throws Exception {
        topics(2, Map.of());
        RecordingIntake intake = RecordingIntake.acknowledging();
        RequestSource source = start(intake, Ordering.NONE);
        send(0, 2);
        await().until(() -> intake.accepted.size() == 2);

        try (KafkaProducer<byte[], byte[]> producer = transactional()) {
            producer.initTransactions();
            producer.beginTransaction();
            producer.send(new ProducerRecord<>(partition.topic(), 0, null, TestRecords.bytes("in a transaction")))
                    .get();
            send(2, 10);

            await().until(() -> intake.accepted.size() >= 7);
            await().until(() -> openMillis(source, 0) > 1_000);
            assertThat(openMillis(source, 1)).isZero();
            assertThat(intake.accepted).hasSize(7);
            assertThat(new OpenTransactions(Duration.ZERO, connections()).describeProducer(admin, partition, 1))
                    .matches("producerId=\\d+ producerEpoch=\\d+ startOffset=1 lastWriteMillis=\\d+");
            producer.commitTransaction();
        }

        await().until(() -> intake.accepted.size() == 13);
        await().until(() -> openMillis(source, 0) == 0);
    }

    @Test
    void warnsOnceOfAnOpenTransactionWithItsPartitionAndItsProducer() throws Exception {
        topics(1, Map.of());
        KafkaPartition blocked =
                new KafkaPartition(partition, null, 100, Platform.system().random());
        OpenTransactions transactions = new OpenTransactions(Duration.ZERO, connections());
        CapturedLog log = CapturedLog.of(OpenTransactions.class);
        try (log;
                KafkaProducer<byte[], byte[]> producer = transactional()) {
            producer.initTransactions();
            producer.beginTransaction();
            producer.send(new ProducerRecord<>(partition.topic(), TestRecords.bytes("in a transaction")))
                    .get();

            transactions.update(admin, blocked, 0, 1);
            transactions.update(admin, blocked, 0, 1);
            producer.abortTransaction();
        }

        assertThat(log.events()).singleElement().satisfies(line -> {
            assertThat(line.getLevel()).isEqualTo(Level.WARN);
            assertThat(line.getFormattedMessage())
                    .contains("partition=" + partition, "lastStableOffset=0", "transaction.max.timeout.ms")
                    .containsPattern("producerId=\\d+");
        });
    }

    private static long openMillis(RequestSource source, int partition) {
        return source.status().lags().stream()
                .filter(lag -> lag.partition() == partition)
                .mapToLong(Lag::openTransactionMillis)
                .findFirst()
                .orElse(-1);
    }

    private KafkaConnections connections() {
        return KafkaConnections.ofSystem(settings(Ordering.NONE), "node-1");
    }

    private KafkaProducer<byte[], byte[]> transactional() {
        return new KafkaProducer<>(
                Map.of("bootstrap.servers", broker.bootstrapServers(), "transactional.id", "forgetful"),
                new ByteArraySerializer(),
                new ByteArraySerializer());
    }
}
