package io.iocluster.kafka.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.iocluster.kafka.KafkaTestSettings;
import io.iocluster.kafka.config.KafkaSettings.AutoOffsetReset;
import io.iocluster.kafka.config.KafkaSettings.Ordering;
import io.iocluster.testkit.contract.RecordingIntake;
import io.iocluster.transport.Delivery;
import io.iocluster.transport.RequestSource;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A topic that is deleted and created again is another topic. */
class RecreatedTopicIT extends KafkaSourceTestBase {

    private final List<Delivery> held = new CopyOnWriteArrayList<>();
    private final RecordingIntake intake = holdingSeven();

    @Test
    void isReadFromItsBeginningAfterARestart() throws Exception {
        RequestSource source = readOldTopic("classic");
        source.close(Duration.ofMinutes(1));

        recreate();
        send("new", 0, 60);
        RecordingIntake second = holdingSeven();
        start(second, AutoOffsetReset.EARLIEST, "classic");

        awaitAllNew(second);
    }

    @ParameterizedTest
    @ValueSource(strings = {"classic", "consumer"})
    void isReadFromItsBeginningByARunningSource(String protocol) throws Exception {
        readOldTopic(protocol);

        recreate();
        send("new", 0, 60);

        awaitAllNew(intake);
        // Settlements of records of the old topic must not change the new one.
        held.forEach(delivery -> delivery.settlement().acknowledge());
        await().until(() -> committed() != null && committed().offset() == 60);
    }

    @Test
    void isReadFromItsBeginningByAGroupThatStartedAtTheEnd() throws Exception {
        createTopic();
        send("older", 0, 10);
        start(intake, AutoOffsetReset.LATEST, "classic");
        await().until(() -> committed() != null && committed().offset() == 10);
        send("old", 0, 5);
        await().until(() -> intake.accepted.size() == 5);

        recreate();
        send("new", 0, 60);

        awaitAllNew(intake);
    }

    @Test
    void ignoresAnOldOffsetThatIsCommittedAfterItsCreation() throws Exception {
        RequestSource source = readOldTopic("classic");
        OffsetAndMetadata old = committed();
        source.close(Duration.ofMinutes(1));

        recreate();
        admin.alterConsumerGroupOffsets(name, Map.of(partition, old)).all().get();
        send("new", 0, 60);
        RecordingIntake second = holdingSeven();
        start(second, AutoOffsetReset.EARLIEST, "classic");

        awaitAllNew(second);
    }

    private RequestSource readOldTopic(String protocol) throws Exception {
        createTopic();
        send("old", 0, 50);
        RequestSource source = start(intake, AutoOffsetReset.EARLIEST, protocol);
        await().until(() -> intake.accepted.size() == 50);
        await().until(() -> committed() != null && committed().offset() == 7);
        return source;
    }

    private static void awaitAllNew(RecordingIntake intake) {
        await().untilAsserted(() -> assertThat(intake.acceptedPayloads()).containsAll(values("new", 60)));
    }

    private RecordingIntake holdingSeven() {
        return new RecordingIntake(delivery -> {
            if (RecordingIntake.text(delivery).equals("old 7")) {
                held.add(delivery);
            } else {
                delivery.settlement().acknowledge();
            }
        });
    }

    private RequestSource start(RecordingIntake to, AutoOffsetReset start, String protocol) {
        return start(
                to,
                KafkaTestSettings.of(
                        broker.bootstrapServers(), name, start, Ordering.NONE, Map.of("group.protocol", protocol)));
    }

    private void createTopic() {
        topics(1, Map.of());
    }

    private void recreate() throws Exception {
        admin.deleteTopics(List.of(partition.topic())).all().get();
        await().ignoreExceptions().until(() -> {
            createTopic();
            return true;
        });
    }
}
