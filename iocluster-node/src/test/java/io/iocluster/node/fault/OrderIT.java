package io.iocluster.node.fault;

import static io.iocluster.node.fault.FaultFixture.report;
import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.node.NodeProcess;
import io.iocluster.testkit.process.FixedWait;
import java.util.Map;
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
        String patience = "http: {timeout: 180s, deadline: 240s}";
        NodeProcess killed = faults.start("node-1", patience);
        int quick = sent - sent / 1_000;
        faults.answers.awaitIds(quick, killed);
        // The commit interval is one second, so all completions are committed after it.
        FixedWait.millis(5_000);

        killed.kill();
        faults.fixture.target.releaseHeld();
        NodeProcess next = faults.start("node-1", patience);
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
        NodeProcess node = faults.fixture.startNode("node-1", "key");
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

    private String held(int id) {
        return faults.fixture.target.url("/held?id=" + id);
    }
}
