package io.iocluster.node.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.iocluster.node.ColdNode;
import io.iocluster.node.NodeProcess;
import io.iocluster.node.RabbitNodeFixture;
import io.iocluster.node.metrics.DocumentedMetrics;
import org.junit.jupiter.api.Test;

/** Tests delayed retries that wait in RabbitMQ while the node that delayed them is killed. */
class RabbitDelayedRetryIT extends RabbitFaultTestBase {

    private static final int CALLS = 20;

    @Test
    void anotherNodeCompletesDelayedRetriesWhenANodeIsKilled() throws Exception {
        String[] delaying = {
            "  delayed: {enabled: true, tiers: [30s]}",
            // Retry-After is 40 s: the call waits 30 s in the broker and the rest in the node.
            // A busy machine may need most of that time to kill the node.
            "retry: {delayed-after: 1s, max-retry-after: 0s}",
            ColdNode.LONG_TIMEOUTS
        };
        NodeProcess killed = nodes.start("node-1", delaying).awaitReady();
        AnswerRecorder answers = recordAnswers();
        nodes.send(0, CALLS, "/flaky?failures=1&retry-after=40&id=");
        await().atMost(RabbitNodeFixture.LONG)
                .until(() -> nodes.target.requestLog().requests() == CALLS);
        nodes.awaitEmpty();
        DocumentedMetrics.cover("rabbit", killed.get("/metrics").body());

        killed.kill();
        assertThat(answers.answeredIds()).isZero();
        NodeProcess next = nodes.start("node-2", delaying);
        answers.awaitIds(CALLS, next);

        assertThat(answers.notAnswered()).isEmpty();
        assertThat(answers.duplicates()).isZero();
        assertThat(nodes.target.requestLog().counts()).hasSize(CALLS).containsValue(2);
        assertThat(nodes.target.requestLog().requests()).isEqualTo(2 * CALLS);
    }
}
