package io.iocluster.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The promise when connections, queues or the broker's memory fail a node that lives on, with a ledger on both ends. */
class RabbitTroubleIT {

    private RabbitNodes nodes;

    @BeforeEach
    void setTheStage() {
        nodes = new RabbitNodes();
    }

    @AfterEach
    void clear() {
        nodes.close();
    }

    @Test
    void answersAllAndMakesOnlyOpenCallsAgainWhenConnectionsAreCut() throws Exception {
        int open = 300;
        NodeProcess node =
                nodes.start("node-1", "http: {timeout: 60s, deadline: 120s}").awaitReady();
        try (RabbitAnswerLedger answers = new RabbitAnswerLedger(nodes.settings())) {
            nodes.send(0, open, "/delay?ms=15000&id=");
            await().atMost(RabbitNodes.LONG).until(() -> nodes.target.ledger().open() == open);

            nodes.broker.cutConnections();
            assertThat(nodes.target.ledger().open()).isEqualTo(open);
            answers.awaitAnswers(2 * open, node);

            nodes.awaitEmpty();
            assertThat(answers.counts()).hasSize(open).doesNotContainValue(1);
            assertThat(answers.duplicates()).isEqualTo(open);
            assertThat(answers.notAnswered()).isEmpty();
            assertThat(nodes.target.ledger().requests()).isEqualTo(2L * open);
        }
    }

    @Test
    void answersWhatItHeldAndReadsOnWhenTheQueueIsDeletedAndMadeAgain() throws Exception {
        NodeProcess node = nodes.start("node-1").awaitReady();
        try (RabbitAnswerLedger answers = new RabbitAnswerLedger(nodes.settings())) {
            nodes.send(0, 50, "/delay?ms=5000&id=");
            await().atMost(RabbitNodes.LONG).until(() -> nodes.target.ledger().open() == 50);

            nodes.broker.deleteQueue(RabbitNodes.REQUESTS);
            await().atMost(RabbitNodes.LONG)
                    .ignoreExceptions()
                    .until(() -> nodes.broker.depth(RabbitNodes.REQUESTS) == 0);
            nodes.send(50, 100, "/ok?id=");
            answers.awaitIds(100, node);

            nodes.awaitEmpty();
            assertThat(answers.duplicates()).isZero();
            assertThat(answers.notAnswered()).isEmpty();
            assertThat(nodes.target.ledger().requests()).isEqualTo(100);
        }
    }

    @Test
    void holdsBackWhileTheBrokerIsShortOfMemoryAndRepeatsNothing() throws Exception {
        int sent = 10_000;
        NodeProcess node = nodes.start("node-1").awaitReady();
        try (RabbitAnswerLedger answers = new RabbitAnswerLedger(nodes.settings())) {
            nodes.send(0, sent, "/delay?ms=300&id=");
            answers.awaitIds(300, node);

            nodes.broker.raiseMemoryAlarm();
            await().atMost(RabbitNodes.LONG)
                    .until(() -> node.get("/api/status").body().contains("broker-blocked"));
            // What is open ends, and nothing new begins.
            await().atMost(RabbitNodes.LONG).until(() -> nodes.target.ledger().open() == 0);
            long whileBlocked = nodes.target.ledger().requests();
            assertThat(node.get("/readyz").statusCode()).isEqualTo(200);
            assertThat(whileBlocked).isLessThan(sent);
            await().during(Duration.ofMillis(500))
                    .until(() -> nodes.target.ledger().requests() == whileBlocked);
            nodes.broker.liftMemoryAlarm();
            answers.awaitIds(sent, node);

            nodes.awaitEmpty();
            assertThat(answers.duplicates()).isZero();
            assertThat(answers.notAnswered()).isEmpty();
            assertThat(nodes.target.ledger().requests()).isEqualTo(sent);
            assertThat(node.get("/api/status").body()).doesNotContain("broker-blocked");
        }
    }

    @Test
    void keepsRequestsAndSaysWhyWhileNoQueueTakesTheirAnswers() throws Exception {
        int sent = 50;
        NodeProcess node = nodes.start("node-1").awaitReady();
        nodes.broker.deleteQueue(RabbitNodes.ANSWERS);

        nodes.send(0, sent, "/ok?id=");
        await().atMost(RabbitNodes.LONG)
                .until(() -> node.logLines().stream()
                        .anyMatch(line -> line.contains("no queue took it: the queue answers: 312 NO_ROUTE")));
        await().atMost(RabbitNodes.LONG)
                .until(() -> node.get("/api/status").body().contains("backoff"));
        // Each call was made again by now, and not one request is given up.
        await().atMost(RabbitNodes.LONG)
                .until(() -> nodes.target.ledger().counts().values().stream()
                                .filter(count -> count > 2)
                                .count()
                        == sent);
        nodes.awaitRequests(sent);
        assertThat(nodes.broker.depth(RabbitNodes.REQUESTS)).isZero();

        nodes.broker.declareQueue(RabbitNodes.ANSWERS, Map.of("x-queue-type", "quorum"));
        try (RabbitAnswerLedger answers = new RabbitAnswerLedger(nodes.settings())) {
            answers.awaitIds(sent, node);

            nodes.awaitEmpty();
            assertThat(answers.duplicates()).isZero();
            assertThat(answers.notAnswered()).isEmpty();
            assertThat(nodes.broker.depth(RabbitNodes.DEAD_LETTERS)).isZero();
        }
    }
}
