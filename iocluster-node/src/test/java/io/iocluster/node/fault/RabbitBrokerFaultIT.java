package io.iocluster.node.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.iocluster.node.ColdNode;
import io.iocluster.node.RabbitNodeFixture;
import io.iocluster.node.RunningNode;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Tests that a running node loses nothing when connections or queues fail, or when the broker is short of memory. */
class RabbitBrokerFaultIT extends RabbitFaultTestBase {

    @Test
    void answersAllAndRepeatsOnlyOpenCallsWhenConnectionsAreCut() throws Exception {
        int open = 300;
        RunningNode node =
                nodes.startInProcess("node-1", ColdNode.LONG_TIMEOUTS).awaitReady();
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
    void answersOpenCallsAndContinuesWhenTheQueueIsDeletedAndRecreated() throws Exception {
        RunningNode node =
                nodes.startInProcess("node-1", ColdNode.LONG_TIMEOUTS).awaitReady();
        AnswerRecorder answers = recordAnswers();
        nodes.send(0, 50, "/held?id=");
        awaitOpenRequests(50);

        broker.deleteQueue(nodes.requests);
        await().atMost(RabbitNodeFixture.LONG)
                .ignoreExceptions()
                .until(() -> broker.readyMessages(nodes.requests) == 0);
        nodes.send(50, 100, "/ok?id=");
        nodes.target.releaseHeld();
        answers.awaitIds(100, node);

        nodes.awaitEmpty();
        assertThat(answers.duplicates()).isZero();
        assertThat(answers.notAnswered()).isEmpty();
        assertThat(nodes.target.requestLog().requests()).isEqualTo(100);
    }

    @Test
    void pausesWhileTheBrokerIsShortOfMemoryAndRepeatsNothing() throws Exception {
        int sent = 2_000;
        int slots = 300;
        RunningNode node =
                nodes.startInProcess("node-1", ColdNode.LONG_TIMEOUTS).awaitReady();
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

    @Test
    void keepsAnswersAndRepeatsNoCallWhileTheirQueueIsMissing() throws Exception {
        int sent = 50;
        RunningNode node = nodes.startInProcess("node-1", "answers: {give-up-after: 10m}", ColdNode.LONG_TIMEOUTS)
                .awaitReady();
        broker.deleteQueue(nodes.answers);

        nodes.send(0, sent, "/ok?id=");
        await().atMost(RabbitNodeFixture.LONG).until(() -> RabbitNodeFixture.waitingAnswers(node) == sent);
        nodes.awaitRequests(sent);
        assertThat(broker.readyMessages(nodes.requests)).isZero();

        broker.declareQueue(nodes.answers, Map.of("x-queue-type", "quorum"));
        AnswerRecorder answers = recordAnswers();
        answers.awaitIds(sent, node);

        nodes.awaitEmpty();
        assertThat(answers.duplicates()).isZero();
        assertThat(answers.notAnswered()).isEmpty();
        assertThat(broker.readyMessages(nodes.deadLetters)).isZero();
        assertThat(nodes.target.requestLog().counts())
                .hasSize(sent)
                .allSatisfy((id, count) -> assertThat(count).isEqualTo(1));
    }

    @Test
    void answersOtherCallsWhileAReplyQueueIsMissing() throws Exception {
        int lost = 600;
        int good = 300;
        RunningNode node = nodes.startInProcess("node-1", "answers: {give-up-after: 3s}", ColdNode.LONG_TIMEOUTS)
                .awaitReady();

        nodes.send(0, lost, "/ok?id=", ",\"replyTo\":\"iocluster.replies.missing\"");
        nodes.send(lost, lost + good, "/ok?id=", "");

        AnswerRecorder answers = recordAnswers();
        answers.awaitIds(lost + good, node);
        nodes.awaitEmpty();
        assertThat(answers.duplicates()).isZero();
        assertThat(broker.readyMessages(nodes.deadLetters)).isZero();
        // Only the calls made before the first answer was returned, each once.
        assertThat(nodes.target.requestLog().counts().values()).containsOnly(1);
    }

    @Test
    void answersOtherCallsWhileAReplyQueueRefusesLargeAnswers() throws Exception {
        String full = "iocluster.replies.full";
        broker.declareQueue(full, Map.of("x-max-length", 1, "x-overflow", "reject-publish"));
        RunningNode node = nodes.startInProcess(
                        "node-1",
                        "workers: {max-in-flight-bytes: 64MiB, max-in-flight: 20}",
                        "answers: {give-up-after: 10m, max-waiting-bytes: 16MiB}",
                        ColdNode.LONG_TIMEOUTS)
                .awaitReady();

        AnswerRecorder answers = recordAnswers();
        for (int round = 0; round < 10; round++) {
            int first = round * 20;
            nodes.send(first, first + 10, "/body?bytes=522240&id=", ",\"replyTo\":\"" + full + "\"");
            nodes.send(first + 10, first + 20, "/ok?id=");
        }
        // Of the 100 answers to the full queue, it keeps one, and fifteen may wait for it: half of the bytes of waiting
        // answers.
        answers.awaitIds(184, node);
        assertThat(answers.duplicates()).isZero();
        assertThat(answers.notAnswered()).isEmpty();
        assertThat(broker.readyMessages(nodes.deadLetters)).isZero();
        assertThat(nodes.target.requestLog().requests()).isEqualTo(200);
    }
}
