package io.iocluster.node.fault;

import static io.iocluster.node.fault.FaultFixture.MAX_DUPLICATES;
import static io.iocluster.node.fault.FaultFixture.report;
import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.node.ColdNode;
import io.iocluster.node.RunningNode;
import io.iocluster.testkit.process.FixedWait;
import org.junit.jupiter.api.Test;

/** Tests that nothing is lost when the broker is unavailable for some time. */
class BrokerFaultIT {

    @Test
    void losesNothingAndNeedsNoRestartWhenTheBrokerIsDownForHalfAMinute() {
        int before = 20_000;
        int after = 30_000;
        try (FaultFixture faults = new FaultFixture()) {
            faults.send(0, before);
            RunningNode node = faults.startInProcess("node-1", ColdNode.LONG_TIMEOUTS);
            faults.answers.awaitIds(5_000, node);

            faults.fixture.broker.stop();
            FixedWait.millis(30_000);
            assertThat(node.isAlive()).isTrue();
            faults.fixture.broker.start();
            faults.send(before, after);
            faults.answers.awaitIds(after, node);

            report("broker stopped for 30 s", faults.answers.duplicates());
            assertThat(faults.answers.notAnswered()).isEmpty();
            assertThat(faults.answers.duplicates()).isBetween(0, MAX_DUPLICATES);
        }
    }
}
