package io.iocluster.node.fault;

import static io.iocluster.node.fault.FaultFixture.LONG;
import static io.iocluster.node.fault.FaultFixture.MAX_DUPLICATES;
import static io.iocluster.node.fault.FaultFixture.report;
import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.node.ColdNode;
import io.iocluster.node.NodeProcess;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests that nothing is lost when nodes join and leave, and that redeliveries are bounded. */
class NodeFaultIT {

    /** Longest time from the start of a second node to its first answer on an overloaded machine. */
    private static final Duration JOIN = Duration.ofMinutes(5);

    private final FaultFixture faults = new FaultFixture();

    @AfterEach
    void clear() {
        faults.close();
    }

    @Test
    void losesNothingAndBoundsRepeatsWhenANodeIsKilled() {
        int sent = 40_000;
        sendSlow(0, sent);
        NodeProcess killed = faults.start("node-1", ColdNode.LONG_TIMEOUTS);
        // More than may be duplicated.
        faults.answers.awaitIds(2 * MAX_DUPLICATES, killed);

        killed.kill();
        int before = faults.answers.answeredIds();
        NodeProcess next = faults.start("node-1", ColdNode.LONG_TIMEOUTS);
        faults.answers.awaitIds(sent, next);

        assertThat(before).isLessThan(sent);
        assertThat(faults.answers.notAnswered()).isEmpty();
        assertThat(faults.fixture.target.requestLog().counts()).hasSize(sent);
        report("kill -9", faults.answers.duplicates());
        assertThat(faults.answers.duplicates()).isBetween(0, MAX_DUPLICATES);
    }

    @Test
    void repeatsNothingWhenANodeIsTerminated() {
        int sent = 25_000;
        sendSlow(0, sent);
        NodeProcess first = faults.start("node-1", ColdNode.LONG_TIMEOUTS);
        faults.answers.awaitIds(5_000, first);

        int exitCode = first.terminate(LONG);
        int before = faults.answers.answeredIds();
        NodeProcess next = faults.start("node-2", ColdNode.LONG_TIMEOUTS);
        faults.answers.awaitIds(sent, next);

        assertThat(exitCode).as(first.log()).isZero();
        assertThat(before).isLessThan(sent);
        assertThat(faults.answers.duplicates()).isZero();
        assertThat(faults.fixture.target.requestLog().requests()).isEqualTo(sent);
    }

    @Test
    void losesNothingWhenASecondNodeJoinsAndLeaves() {
        int lag = 10_000;
        int sent = lag;
        sendSlow(0, sent);
        NodeProcess first = faults.start("node-1", ColdNode.LONG_TIMEOUTS);
        faults.answers.awaitIds(2_000, first);
        NodeProcess second = faults.start("node-2", ColdNode.LONG_TIMEOUTS);
        // Calls remain for the second node, even if a busy machine starts it slowly.
        long started = System.nanoTime();
        while (!faults.answers.hasAnswerOf("node-2")) {
            assertThat(Duration.ofNanos(System.nanoTime() - started))
                    .as("until the second node answers a call: %s", second.log())
                    .isLessThan(JOIN);
            sendSlow(sent, sent + 1_000);
            sent += 1_000;
            faults.answers.awaitIds(sent - lag, first, second);
        }
        int exitCode = second.terminate(LONG);
        faults.answers.awaitIds(sent, first);

        int after = 1_000;
        faults.send(sent, sent + after);
        faults.answers.awaitIds(sent + after, first);
        report("a second node joined and left", faults.answers.duplicates());
        assertThat(exitCode).as(second.log()).isZero();
        assertThat(faults.answers.notAnswered()).isEmpty();
        assertThat(faults.answers.duplicates()).isBetween(0, MAX_DUPLICATES);
    }

    /** Sends calls of 100 ms. With 300 in flight, a node makes at most 3,000 per second, so some remain when the test stops it. */
    private void sendSlow(int from, int to) {
        faults.requests.send(from, to, i -> null, i -> faults.fixture.target.url("/delay?ms=100&id=" + i));
    }
}
