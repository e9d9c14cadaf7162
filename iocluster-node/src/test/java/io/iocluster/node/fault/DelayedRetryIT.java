package io.iocluster.node.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.node.ColdNode;
import io.iocluster.node.KafkaNodeFixture;
import io.iocluster.node.NodeProcess;
import io.iocluster.node.metrics.DocumentedMetrics;
import java.util.Map;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

/** Tests delayed retries that wait in Kafka while the node that delayed them is killed. */
class DelayedRetryIT {

    private static final int CALLS = 20;

    @Test
    void anotherNodeCompletesDelayedRetriesWhenANodeIsKilled() throws Exception {
        String[] delaying = {
            "  delayed: {enabled: true, tiers: [30s]}",
            "  create-topics: {enabled: true, partitions: 1}",
            // Retry-After is 40 s: the call waits 30 s in the broker and the rest in the node.
            // A busy machine may need most of that time to kill the node.
            "retry: {delayed-after: 1s, max-retry-after: 0s}",
            ColdNode.LONG_TIMEOUTS
        };
        try (KafkaNodeFixture fixture = new KafkaNodeFixture(1, Map.of());
                RequestSender requests =
                        new RequestSender(fixture.broker.bootstrapServers(), KafkaNodeFixture.REQUESTS);
                AnswerRecorder answers = AnswerRecorder.of(fixture.settings())) {
            NodeProcess killed = fixture.startNode("node-1", "none", delaying);
            requests.send(0, CALLS, i -> null, i -> fixture.target.url("/flaky?failures=1&retry-after=40&id=" + i));
            fixture.awaitCommitted(
                    new RecordMetadata(new TopicPartition(KafkaNodeFixture.REQUESTS, 0), CALLS - 1, 0, 0, 0, 0));
            String metrics = killed.get("/metrics").body();

            killed.kill();
            assertThat(answers.answeredIds()).isZero();
            assertThat(fixture.target.requestLog().requests()).isEqualTo(CALLS);
            NodeProcess next = fixture.startNode("node-2", "none", delaying);
            answers.awaitIds(CALLS, next);

            DocumentedMetrics.cover("kafka", metrics);
            assertThat(metrics).containsPattern("iocluster_delayed_total\\{.*reason=\"503\".*} 20.0");
            assertThat(answers.notAnswered()).isEmpty();
            assertThat(answers.duplicates()).isZero();
            assertThat(fixture.target.requestLog().counts()).hasSize(CALLS).containsValue(2);
            assertThat(fixture.target.requestLog().requests()).isEqualTo(2 * CALLS);
        }
    }
}
