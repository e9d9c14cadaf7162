package io.iocluster.node.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.iocluster.node.ColdNode;
import io.iocluster.node.NodeProcess;
import io.iocluster.node.RabbitNodeFixture;
import io.iocluster.testkit.rabbit.RabbitCluster;
import io.iocluster.testkit.rabbit.RabbitProcess;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests that nothing is lost when one of three brokers ends. */
class RabbitClusterFaultIT {

    @Test
    void losesNothingWhenTheQueueLeaderIsKilledUnderLoad() throws Exception {
        int before = 10_000;
        int after = 11_000;
        try (RabbitCluster cluster = RabbitCluster.launch(3);
                RabbitNodeFixture nodes = new RabbitNodeFixture(cluster.nodes().get(0), cluster.uris())) {
            RabbitProcess leader = cluster.nodes().get(1);
            // The broker that declares a queue becomes its leader.
            for (String queue : List.of(nodes.requests, nodes.answers, nodes.deadLetters)) {
                leader.declareQueue(queue, Map.of("x-queue-type", "quorum"));
            }
            assertThat(cluster.leaderOf(nodes.requests)).isSameAs(leader);
            NodeProcess node = nodes.start("node-1", "  lag-interval: 1s", ColdNode.LONG_TIMEOUTS)
                    .awaitReady();
            try (AnswerRecorder answers = AnswerRecorder.of(nodes.settings())) {
                // The node makes at most 3,000 calls per second, so some remain when the leader is killed.
                int refused = nodes.send(0, before, "/delay?ms=100&id=");
                answers.awaitIds(2_000, node);

                leader.kill();
                int whenKilled = answers.answeredIds();
                refused += nodes.send(before, after, "/ok?id=");
                answers.awaitIds(after, node);

                // Acknowledgements that are on their way when the leader dies may be lost: then some stay
                // unacknowledged.
                nodes.awaitNoneReady();
                assertThat(whenKilled).isLessThan(before);
                assertThat(cluster.leaderOf(nodes.requests)).isNotSameAs(leader);
                assertThat(answers.notAnswered()).isEmpty();
                assertThat(nodes.target.requestLog().counts()).hasSize(after);
                // A queue without a leader rejects answers, so their messages are redelivered, in addition to the calls
                // of a lost channel.
                int redelivered = RabbitNodeFixture.redelivered(node);
                int lost = redelivered - RabbitNodeFixture.requeued(node);
                assertThat(lost).as(node.log()).isLessThanOrEqualTo(4 * RabbitNodeFixture.PREFETCH);
                assertThat(nodes.target.requestLog().requests())
                        .isBetween((long) after, (long) after + refused + redelivered);
                await().atMost(RabbitNodeFixture.LONG)
                        .until(() -> node.get("/readyz").statusCode() == 200);
            }
        }
    }
}
