package io.iocluster.node.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.iocluster.kafka.ledger.ClusterTopicId;
import io.iocluster.kafka.ledger.CommitMetadata;
import io.iocluster.node.ColdNode;
import io.iocluster.node.KafkaNodeFixture;
import io.iocluster.node.NodeProcess;
import io.iocluster.node.RunningNode;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.Uuid;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests ordering, and what a node has committed when it is killed. */
class OrderIT {

    private static final Duration LONG = Duration.ofMinutes(2);

    private final KafkaNodeFixture fixture = new KafkaNodeFixture(12, Map.of());
    private final RequestSender requests =
            new RequestSender(fixture.broker.bootstrapServers(), KafkaNodeFixture.REQUESTS);
    private final AnswerRecorder answers = AnswerRecorder.of(fixture.settings());

    @AfterEach
    void clear() {
        answers.close();
        requests.close();
        fixture.close();
    }

    @Test
    void losesNothingAndRepeatsOnlyOpenCallsWhenTheNodeIsKilled() {
        int sent = 6_000;
        int open = 20;
        requests.send(
                0, sent, i -> null, i -> fixture.target.url((i % (sent / open) == 0 ? "/held?id=" : "/ok?id=") + i));
        NodeProcess killed = fixture.startNode("node-1", "none", ColdNode.LONG_TIMEOUTS);
        answers.awaitIds(sent - open, killed);
        awaitCommitted(sent - open);

        killed.kill();
        fixture.target.releaseHeld();
        NodeProcess next = fixture.startNode("node-1", "none", ColdNode.LONG_TIMEOUTS);
        answers.awaitIds(sent, next);

        assertThat(fixture.target.requestLog().counts()).hasSize(sent);
        assertThat(fixture.target.requestLog().counts().values().stream().filter(calls -> calls > 1))
                .hasSize(open);
        assertThat(fixture.target.requestLog().requests()).isEqualTo(sent + open);
        assertThat(answers.duplicates()).isZero();
        assertThat(answers.notAnswered()).isEmpty();
    }

    @Test
    void keepsTheOrderOfEachKeyWithAtMostOneCallInFlight() {
        int sent = 3_000;
        int keys = 100;
        requests.send(
                0,
                sent,
                i -> "key-" + i % keys,
                i -> fixture.target.url("/delay?id=" + i + "&key=key-" + i % keys + "&ms=" + (i % 7 == 0 ? 20 : 0)));
        RunningNode node = fixture.startInProcess("node-1", "key", ColdNode.LONG_TIMEOUTS);
        answers.awaitIds(sent, node);

        for (int k = 0; k < keys; k++) {
            assertThat(fixture.target.requestLog().peakOpen("key-" + k)).isEqualTo(1);
            assertThat(fixture.target.requestLog().idsInOrder("key-" + k).stream()
                            .map(Integer::valueOf))
                    .hasSize(sent / keys)
                    .isSorted();
        }
        assertThat(fixture.target.requestLog().peakOpen()).isGreaterThan(10);
        assertThat(answers.duplicates()).isZero();
    }

    /** Waits until this number of completed calls is committed, below or above the calls that are held. */
    private void awaitCommitted(int calls) {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", fixture.broker.bootstrapServers()))) {
            await().atMost(LONG).until(() -> committed(admin) == calls);
        }
    }

    private long committed(Admin admin) throws ExecutionException, InterruptedException {
        Uuid topic = admin.describeTopics(List.of(KafkaNodeFixture.REQUESTS))
                .allTopicNames()
                .get()
                .get(KafkaNodeFixture.REQUESTS)
                .topicId();
        ClusterTopicId topicId =
                new ClusterTopicId(admin.describeCluster().clusterId().get(), topic);
        long completed = 0;
        for (OffsetAndMetadata commit : admin.listConsumerGroupOffsets(fixture.group)
                .partitionsToOffsetAndMetadata()
                .get()
                .values()) {
            completed += commit.offset();
            if (CommitMetadata.decode(topicId, commit.offset(), commit.metadata())
                    instanceof CommitMetadata.CompletedOffsets above) {
                // Run lengths: not completed, completed, and so on.
                for (int i = 1; i < above.runs().length; i += 2) {
                    completed += above.runs()[i];
                }
            }
        }
        return completed;
    }
}
