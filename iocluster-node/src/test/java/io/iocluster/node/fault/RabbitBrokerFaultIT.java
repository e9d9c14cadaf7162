package io.iocluster.node.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.iocluster.node.ColdNode;
import io.iocluster.node.RabbitNodeFixture;
import io.iocluster.node.RunningNode;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Tests that a running node loses nothing when connections or queues fail, or when the broker is short of memory. */
class RabbitBrokerFaultIT extends RabbitFaultTestBase {

    @Test
    void answersAllAndRepeatsOnlyOpenCallsWhenConnectionsAreCut() throws Exception {
        int open = 100;
        RunningNode node = nodes.startInProcess(
                        "node-1", "workers: {max-in-flight: " + open + "}", ColdNode.LONG_TIMEOUTS)
                .awaitReady();
        AnswerRecorder answers = recordAnswers();
        nodes.send(0, open, "/held?id=");
        awaitOpenRequests(open);

        broker.cutConnections();
        nodes.awaitUnacknowledged(open);
        assertThat(nodes.target.requestLog().open()).isEqualTo(open);
        nodes.target.releaseHeld();
        answers.awaitAnswers(2 * open, node);

        nodes.awaitEmpty();
        assertThat(answers.countsById()).hasSize(open).doesNotContainValue(1);
        assertThat(answers.duplicates()).isEqualTo(open);
        assertThat(answers.notAnswered()).isEmpty();
        assertThat(nodes.target.requestLog().requests()).isEqualTo(2L * open);
    }

    @Test
    void pausesWhileTheBrokerIsShortOfMemoryAndRepeatsNothing() throws Exception {
        int sent = 700;
        int slots = 100;
        RunningNode node = nodes.startInProcess(
                        "node-1", "workers: {max-in-flight: " + slots + "}", ColdNode.LONG_TIMEOUTS)
                .awaitReady();
        AnswerRecorder answers = recordAnswers();
        nodes.send(0, slots, "/held?id=");
        awaitOpenRequests(slots);
        nodes.send(slots, sent, "/delay?ms=300&id=");

        broker.raiseMemoryAlarm();
        try {
            // The broker blocks a connection when it publishes.
            nodes.target.releaseHeld();
            await().atMost(RabbitNodeFixture.LONG)
                    .until(() -> node.get("/api/status").body().contains("broker-blocked"));
            // Open calls end, and no new call starts.
            awaitOpenRequests(0);
            assertThat(node.get("/readyz").statusCode()).isEqualTo(200);
            // On a busy machine, a call that started before reaches the target when no other is open.
            AtomicLong before = new AtomicLong();
            await().during(Duration.ofMillis(500)).until(() -> {
                long requests = nodes.target.requestLog().requests();
                return before.getAndSet(requests) == requests;
            });
            assertThat(nodes.target.requestLog().requests()).isLessThan(sent);
        } finally {
            broker.clearMemoryAlarm();
        }
        answers.awaitIds(sent, node);

        nodes.awaitEmpty();
        assertThat(answers.duplicates()).isZero();
        assertThat(answers.notAnswered()).isEmpty();
        assertThat(nodes.target.requestLog().requests()).isEqualTo(sent);
        assertThat(node.get("/api/status").body()).doesNotContain("broker-blocked");
    }
}
