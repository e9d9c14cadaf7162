package io.iocluster.node.fault;

import static io.iocluster.node.fault.FaultFixture.LONG;
import static io.iocluster.node.fault.FaultFixture.report;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.iocluster.kafka.ledger.ClusterTopicId;
import io.iocluster.kafka.ledger.CommitMetadata;
import io.iocluster.node.ColdNode;
import io.iocluster.node.KafkaNodeFixture;
import io.iocluster.node.NodeProcess;
import io.iocluster.node.RunningNode;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.Uuid;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests ordering and commits behind a slow call of the same partition. */
class OrderIT {

    private final FaultFixture faults = new FaultFixture();

    @AfterEach
    void clear() {
        faults.close();
    }

    @Test
    void doesNotRepeatCallsThatCompletedAfterASlowCallWhenTheNodeIsKilled() {
        int sent = 20_000;
        faults.requests.send(0, sent, i -> null, i -> i % 1_000 == 0 ? held(i) : faults.ok(i));
        NodeProcess killed = faults.start("node-1", ColdNode.LONG_TIMEOUTS);
        int quick = sent - sent / 1_000;
        faults.answers.awaitIds(quick, killed);
        awaitCommitted(quick);

        killed.kill();
        faults.fixture.target.releaseHeld();
        NodeProcess next = faults.start("node-1", ColdNode.LONG_TIMEOUTS);
        faults.answers.awaitIds(sent, next);

        Map<String, Integer> seen = faults.fixture.target.requestLog().counts();
        long duplicateQuickCalls = seen.entrySet().stream()
                .filter(entry -> Integer.parseInt(entry.getKey()) % 1_000 != 0 && entry.getValue() > 1)
                .count();
        report("quick calls above 20 slow ones, node killed", duplicateQuickCalls);
        assertThat(duplicateQuickCalls).isZero();
        assertThat(seen).hasSize(sent);
        assertThat(faults.answers.notAnswered()).isEmpty();
    }

    @Test
    void keepsTheOrderOfEachKeyWithAtMostOneCallInFlight() {
        int sent = 6_000;
        int keys = 100;
        faults.requests.send(
                0,
                sent,
                i -> "key-" + i % keys,
                i -> faults.fixture.target.url(
                        "/delay?id=" + i + "&key=key-" + i % keys + "&ms=" + (i % 7 == 0 ? 20 : 0)));
        RunningNode node = faults.fixture.startInProcess("node-1", "key", ColdNode.LONG_TIMEOUTS);
        faults.answers.awaitIds(sent, node);

        for (int k = 0; k < keys; k++) {
            assertThat(faults.fixture.target.requestLog().peakOpen("key-" + k)).isEqualTo(1);
            assertThat(faults.fixture.target.requestLog().idsInOrder("key-" + k).stream()
                            .map(Integer::valueOf))
                    .hasSize(sent / keys)
                    .isSorted();
        }
        assertThat(faults.fixture.target.requestLog().peakOpen()).isGreaterThan(10);
        assertThat(faults.answers.duplicates()).isZero();
    }

    /** Waits until this number of completed calls is committed, below or above the calls that are held. */
    private void awaitCommitted(int calls) {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", faults.fixture.broker.bootstrapServers()))) {
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
        for (OffsetAndMetadata commit : admin.listConsumerGroupOffsets(faults.fixture.group)
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

    private String held(int id) {
        return faults.fixture.target.url("/held?id=" + id);
    }
}
