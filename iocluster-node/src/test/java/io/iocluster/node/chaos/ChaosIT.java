package io.iocluster.node.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.node.chaos.broker.ChaosTransport;
import io.iocluster.testkit.chaos.ChaosPlan;
import io.iocluster.testkit.chaos.ChaosPlanner;
import io.iocluster.testkit.chaos.ChaosProfile;
import io.iocluster.testkit.chaos.FaultKind;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * Runs one chaos seed on two nodes and a real broker; {@code bin/chaos} runs more, and the simulation combines faults in many more ways.
 * There is one subclass for each transport. A seed that fails while the machine is overloaded is replayed up to three times: it is a defect
 * only if it fails without an overload, or each time.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class ChaosIT {

    private static final int MAX_REPLAYS = 3;

    private final ChaosTransport transport;
    private final long seed;
    private ChaosCluster cluster;

    /** @param seed of a plan that kills a node and terminates one */
    ChaosIT(ChaosTransport transport, long seed) {
        this.transport = transport;
        this.seed = seed;
    }

    @BeforeAll
    void start() {
        cluster = new ChaosCluster(transport, Path.of("target", "chaos", "it-" + transport.label()));
    }

    @AfterAll
    void close() {
        cluster.close();
    }

    @Test
    void everyInvariantHoldsAtTheEndOfTheSchedule() throws InterruptedException {
        ChaosPlan plan = new ChaosPlanner(ChaosProfile.quick(transport.kinds())).generate(seed);
        assertThat(plan.faultKinds()).contains(FaultKind.KILL_NODE, FaultKind.TERMINATE_NODE);
        String replay = "bin/chaos " + plan.seed() + " --quick --transport " + transport.label();
        ChaosReport report = runOnce(plan);
        for (int replays = 0; replays < MAX_REPLAYS && !report.isGood() && report.isOverloaded(); replays++) {
            System.out.println(report.details(replay));
            report = runOnce(plan);
        }
        if (!report.isGood()) {
            throw new AssertionError(report.details(replay));
        }
    }

    private ChaosReport runOnce(ChaosPlan plan) throws InterruptedException {
        ChaosReport report = cluster.run(plan);
        System.out.println(String.format("%-14s", transport.label()) + report.line());
        if (!report.isGood()) {
            cluster.renewNodes();
        }
        return report;
    }
}
