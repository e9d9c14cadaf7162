package io.iocluster.node.chaos;

import io.iocluster.node.chaos.broker.ChaosTransport;
import io.iocluster.testkit.chaos.ChaosPlan;
import io.iocluster.testkit.chaos.ChaosPlanner;
import io.iocluster.testkit.chaos.ChaosProfile;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;

/**
 * Runs a few chaos seeds on two nodes, which together have each fault that the transport supports; {@code bin/chaos} runs more. There is
 * one subclass for each transport. A seed that fails while the machine is overloaded is replayed up to three times: it is a defect only if
 * it fails without an overload, or each time.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class ChaosIT {

    private static final int SEEDS = 6;
    private static final int MAX_REPLAYS = 3;

    private final ChaosTransport transport;
    private ChaosCluster cluster;

    ChaosIT(ChaosTransport transport) {
        this.transport = transport;
    }

    /** Returns the plans of the test suite. */
    static List<ChaosPlan> plans(ChaosTransport transport) {
        return new ChaosPlanner(ChaosProfile.quick(transport.kinds())).generateWithEachKind(SEEDS);
    }

    @BeforeAll
    void start() {
        cluster = new ChaosCluster(transport, Path.of("target", "chaos", "it-" + transport.label()));
    }

    @AfterAll
    void close() {
        cluster.close();
    }

    @TestFactory
    Stream<DynamicTest> everyInvariantHoldsAtTheEndOfTheSeedsSchedule() {
        return plans(transport).stream().map(plan -> DynamicTest.dynamicTest("seed " + plan.seed(), () -> run(plan)));
    }

    private void run(ChaosPlan plan) throws InterruptedException {
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
