package io.iocluster.node.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.iocluster.node.ColdNode;
import io.iocluster.node.NodeProcess;
import io.iocluster.node.RabbitNodeFixture;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * Tests that nothing is lost when a node or the broker stops, and that redeliveries are bounded.
 */
class RabbitNodeFaultIT extends RabbitFaultTestBase {

    private static final String OK = "/ok?id=";
    /** A call of 100 ms. With 300 in flight, a node makes at most 3,000 per second, so some remain when the test kills it. */
    private static final String SLOW = "/delay?ms=100&id=";

    @Test
    void losesNothingAndRepeatsAtMostThePrefetchWhenANodeIsKilled() throws Exception {
        int sent = 10_000;
        NodeProcess killed = nodes.start("node-1", ColdNode.LONG_TIMEOUTS).awaitReady();
        AnswerRecorder answers = recordAnswers();
        int most = RabbitNodeFixture.PREFETCH + nodes.send(0, sent, SLOW);
        answers.awaitIds(2_000, killed);

        killed.kill();
        int before = answers.answeredIds();
        NodeProcess next = nodes.start("node-1", ColdNode.LONG_TIMEOUTS);
        answers.awaitIds(sent, next);

        nodes.awaitEmpty();
        assertThat(before).isLessThan(sent);
        assertThat(answers.notAnswered()).isEmpty();
        assertThat(nodes.target.requestLog().counts()).hasSize(sent);
        assertThat(answers.duplicates()).isBetween(0, most);
        assertThat(nodes.target.requestLog().requests()).isBetween((long) sent, (long) sent + most);
    }

    @Test
    void repeatsConfirmedAnswersThatWereNotAcknowledgedWhenANodeIsKilled() throws Exception {
        int quick = 200;
        // The acknowledgement waits this long behind an open call, and the node is killed before.
        String[] lateToAcknowledge = {"  ack-interval: 60s", "http: {timeout: 120s, deadline: 240s}"};
        NodeProcess killed = nodes.start("node-1", lateToAcknowledge).awaitReady();
        AnswerRecorder answers = recordAnswers();
        nodes.send(quick, quick + 1, "/held?id=");
        awaitOpenRequests(1);
        nodes.send(0, quick, OK);
        answers.awaitIds(quick, killed);
        nodes.awaitRequests(quick + 1);

        killed.kill();
        assertThat(answers.countsById()).hasSize(quick).doesNotContainValue(2);
        nodes.target.releaseHeld();
        NodeProcess next = nodes.start("node-1", lateToAcknowledge);
        answers.awaitAnswers(2 * quick + 1, next);

        nodes.awaitEmpty();
        Map<String, Integer> expected = new TreeMap<>(Map.of(Integer.toString(quick), 1));
        for (int i = 0; i < quick; i++) {
            expected.put(Integer.toString(i), 2);
        }
        assertThat(answers.countsById()).isEqualTo(expected);
        assertThat(answers.notAnswered()).isEmpty();
        assertThat(nodes.target.requestLog().requests()).isEqualTo(2L * (quick + 1));
    }

    @Test
    void repeatsNothingWhenANodeIsTerminated() throws Exception {
        int sent = 10_000;
        NodeProcess first = nodes.start("node-1", ColdNode.LONG_TIMEOUTS).awaitReady();
        AnswerRecorder answers = recordAnswers();
        int refused = nodes.send(0, sent, OK);
        answers.awaitIds(2_000, first);

        int exitCode = first.terminate(RabbitNodeFixture.LONG);
        NodeProcess next = nodes.start("node-2", ColdNode.LONG_TIMEOUTS);
        answers.awaitIds(sent, next);

        nodes.awaitEmpty();
        assertThat(exitCode).as(first.log()).isZero();
        assertThat(answers.duplicates()).isBetween(0, refused);
        assertThat(nodes.target.requestLog().requests()).isBetween((long) sent, (long) sent + refused);
    }

    @Test
    void losesNothingAndNeedsNoRestartWhenTheBrokerIsKilled() throws Exception {
        int before = 10_000;
        int after = 12_000;
        NodeProcess node = nodes.start("node-1", ColdNode.LONG_TIMEOUTS).awaitReady();
        AnswerRecorder answers = recordAnswers();
        int most = RabbitNodeFixture.PREFETCH + nodes.send(0, before, OK);
        answers.awaitIds(2_000, node);

        broker.kill();
        await().atMost(RabbitNodeFixture.LONG).until(() -> node.get("/readyz").statusCode() == 503);
        broker.start();
        most += nodes.send(before, after, OK);
        answers.awaitIds(after, node);

        nodes.awaitEmpty();
        assertThat(answers.notAnswered()).isEmpty();
        assertThat(node.isAlive()).isTrue();
        assertThat(nodes.target.requestLog().counts()).hasSize(after);
        // The answer recorder lost its connection too, so duplicates are counted at the target, where they are
        // bounded.
        assertThat(nodes.target.requestLog().requests()).isBetween((long) after, (long) after + most);
    }

    @Test
    void waitsForAMissingBrokerWithoutFloodingTheLogAndRecovers() throws Exception {
        broker.stop();
        long start = System.nanoTime();
        NodeProcess node = nodes.start("node-1");

        await().atMost(RabbitNodeFixture.LONG)
                .during(Duration.ofSeconds(20))
                .pollInterval(Duration.ofMillis(500))
                .until(() -> node.isAlive()
                        && node.get("/livez").statusCode() == 200
                        && node.get("/readyz").statusCode() == 503);
        assertThat(node.get("/readyz").body())
                .containsPattern("rabbit at 127.0.0.1:\\d+ is not connected: RabbitMQ connection failed");

        broker.start();
        node.awaitReady();
        AnswerRecorder answers = recordAnswers();
        nodes.send(0, 1, OK);
        answers.awaitIds(1, node);
        // The node warns at once, and then once a minute until the broker runs.
        assertThat(node.logLines())
                .filteredOn(line -> !line.contains(" INFO "))
                .hasSizeBetween(1, 1 + (int) TimeUnit.NANOSECONDS.toMinutes(System.nanoTime() - start));
        assertThat(node.logLines())
                .anyMatch(line -> line.matches(".* Recovered after=\\d+(s|m) broker=127.0.0.1:\\d+ problem=.*"));
        assertThat(node.logLines()).noneMatch(line -> line.contains("guest:guest"));
    }
}
