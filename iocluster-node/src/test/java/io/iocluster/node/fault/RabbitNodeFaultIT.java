package io.iocluster.node.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.node.NodeProcess;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Tests the redeliveries after a node with unacknowledged messages is killed. */
class RabbitNodeFaultIT extends RabbitFaultTestBase {

    @Test
    void repeatsConfirmedAnswersThatWereNotAcknowledgedWhenANodeIsKilled() throws Exception {
        int quick = 200;
        // The acknowledgement waits this long behind an open call, and the node is killed before.
        String[] lateToAcknowledge = {"  ack-interval: 60s", "http: {timeout: 120s, deadline: 240s}"};
        NodeProcess killed = nodes.start("node-1", lateToAcknowledge).awaitReady();
        AnswerRecorder answers = recordAnswers();
        nodes.send(quick, quick + 1, "/held?id=");
        awaitOpenRequests(1);
        nodes.send(0, quick, "/ok?id=");
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
}
