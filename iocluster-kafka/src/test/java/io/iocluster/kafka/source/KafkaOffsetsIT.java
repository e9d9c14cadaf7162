package io.iocluster.kafka.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.iocluster.kafka.KafkaTestSettings;
import io.iocluster.kafka.config.KafkaSettings.AutoOffsetReset;
import io.iocluster.kafka.config.KafkaSettings.Ordering;
import io.iocluster.testkit.contract.RecordingIntake;
import io.iocluster.transport.RequestSource;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

/** Starting positions of a group. */
class KafkaOffsetsIT extends KafkaSourceTestBase {

    @Test
    void readsAnAddedPartitionFromItsBeginningIfTheGroupStartedAtTheEnd() throws Exception {
        topics(1, Map.of());
        send("history", 0, 10);
        RecordingIntake intake = RecordingIntake.acknowledging();
        start(intake);
        await().until(() -> committed(0) != null);

        admin.createPartitions(Map.of(partition.topic(), NewPartitions.increaseTo(3)))
                .all()
                .get();
        send("early", 1, 10);
        send("early", 2, 10);

        await().untilAsserted(() -> assertThat(intake.acceptedPayloads()).hasSize(20));
        assertThat(Set.copyOf(intake.acceptedPayloads())).hasSize(10).noneMatch(each -> each.startsWith("history"));
    }

    @Test
    void startsAnInitialPartitionAtItsEndIfAnotherNodeStartedTheGroup() throws Exception {
        topics(2, Map.of());
        send("history", 0, 10);
        send("history", 1, 10);
        RequestSource first = start(RecordingIntake.acknowledging());
        await().until(() -> committed(0) != null && committed(1) != null);
        first.close(Duration.ofMinutes(1));
        // Simulates two nodes that start the group together. The second one has not committed yet.
        admin.deleteConsumerGroupOffsets(name, Set.of(new TopicPartition(partition.topic(), 1)))
                .all()
                .get();

        RecordingIntake second = RecordingIntake.acknowledging();
        start(second);
        await().until(() -> committed(1) != null);
        send("new", 1, 10);

        await().until(() -> second.accepted.size() >= 10);
        assertThat(second.acceptedPayloads()).hasSize(10).allMatch(each -> each.startsWith("new"));
    }

    /** Starts a source in a group that starts at the end. */
    private RequestSource start(RecordingIntake intake) {
        return start(
                intake,
                KafkaTestSettings.of(broker.bootstrapServers(), name, AutoOffsetReset.LATEST, Ordering.NONE, Map.of()));
    }
}
