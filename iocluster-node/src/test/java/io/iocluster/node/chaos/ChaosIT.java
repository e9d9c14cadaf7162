package io.iocluster.node.chaos;

import io.iocluster.testkit.chaos.ChaosPlanner;
import io.iocluster.testkit.chaos.ChaosProfile;
import java.nio.file.Path;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;

/** Runs a few chaos seeds on two nodes; {@code bin/chaos} runs more. There is one subclass for each transport. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class ChaosIT {

    private static final int SEEDS = 10;

    private final ChaosTransport transport;
    private ChaosCluster cluster;
    private ChaosPlanner planner;

    ChaosIT(ChaosTransport transport) {
        this.transport = transport;
    }

    @BeforeAll
    void start() {
        cluster = new ChaosCluster(transport, Path.of("target", "chaos", "it-" + transport.word()));
        planner = new ChaosPlanner(ChaosProfile.quick(cluster.kinds()));
    }

    @AfterAll
    void close() {
        cluster.close();
    }

    @TestFactory
    Stream<DynamicTest> everyInvariantHoldsAtTheEndOfTheSeedsSchedule() {
        return LongStream.rangeClosed(1, SEEDS)
                .mapToObj(seed -> DynamicTest.dynamicTest("seed " + seed, () -> run(seed)));
    }

    private void run(long seed) throws InterruptedException {
        ChaosReport verdict = cluster.run(planner.generate(seed));
        System.out.println(String.format("%-14s", transport.word()) + verdict.line());
        if (!verdict.isGood()) {
            cluster.renewNodes();
            throw new AssertionError(verdict.report("bin/chaos " + seed + " --quick --transport " + transport.word()));
        }
    }
}
