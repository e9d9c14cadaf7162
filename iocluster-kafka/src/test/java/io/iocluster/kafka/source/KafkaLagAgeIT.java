package io.iocluster.kafka.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.iocluster.kafka.config.KafkaSettings.Ordering;
import io.iocluster.kafka.ledger.TestRecords;
import io.iocluster.testkit.contract.RecordingIntake;
import io.iocluster.transport.RequestSource;
import io.iocluster.transport.SourceStatus.Lag;
import java.time.Duration;
import java.util.Map;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;

/** The age of the oldest record whose timestamp, which the producer chooses, is wrong. */
class KafkaLagAgeIT extends KafkaSourceTestBase {

    private final RecordingIntake intake = new RecordingIntake(delivery -> {});

    @Test
    void aNewRecordIsNotOlderThanTheTimeSinceTheEndBeforeIt() throws Exception {
        topics(1, Map.of());
        RequestSource source = start(intake, Ordering.NONE);
        await().until(() -> !source.status().lags().isEmpty());
        long start = System.nanoTime();

        sendAt(1);
        await().until(() -> lag(source).messages() == 1);

        long elapsed = Duration.ofNanos(System.nanoTime() - start).toMillis();
        assertThat(lag(source).oldestAgeMillis()).isBetween(0L, elapsed + 60_000);
    }

    @Test
    void anEarlierRecordIsAWeekOldAtMost() throws Exception {
        topics(1, Map.of());
        sendAt(1);

        RequestSource source = start(intake, Ordering.NONE);
        await().until(() ->
                !intake.accepted.isEmpty() && !source.status().lags().isEmpty());

        await().untilAsserted(() -> assertThat(lag(source).oldestAgeMillis())
                .isEqualTo(Duration.ofDays(7).toMillis()));
    }

    @Test
    void aRecordOfTheFutureHasNoNegativeAge() throws Exception {
        topics(1, Map.of());
        RequestSource source = start(intake, Ordering.NONE);
        sendAt(System.currentTimeMillis() + Duration.ofMinutes(50).toMillis());

        await().until(() -> !source.status().lags().isEmpty() && lag(source).messages() == 1);

        assertThat(lag(source).oldestAgeMillis()).isZero();
    }

    private static Lag lag(RequestSource source) {
        return source.status().lags().get(0);
    }

    private void sendAt(long timestampMillis) throws Exception {
        producer.send(new ProducerRecord<>(partition.topic(), 0, timestampMillis, null, TestRecords.bytes("value")))
                .get();
    }
}
