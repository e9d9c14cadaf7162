package io.iocluster.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.simulation.cluster.Schedule;
import io.iocluster.simulation.cluster.Wiring;
import io.iocluster.simulation.defect.PlantedDefect;
import io.iocluster.simulation.oracle.Violation;
import io.iocluster.testkit.simulation.Trace;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Runs seeds of the simulation. {@code bin/simulate} runs more of them, and shows the trace of one. */
class SimulationTest {

    private static final int SEEDS = 300;
    private static final int REPLAYED_SEEDS = 25;
    private static final int DEFECT_SEEDS = 500;

    @Test
    void everyGuaranteeHolds() {
        List<String> violations = new ArrayList<>();
        for (long seed = 1; seed <= SEEDS; seed++) {
            for (Violation violation : run(seed).violations()) {
                violations.add("seed " + seed + ": " + violation);
            }
        }

        assertThat(violations).isEmpty();
    }

    @Test
    void theSameSeedGivesTheSameRun() {
        for (long seed = 1; seed <= REPLAYED_SEEDS; seed++) {
            assertThat(run(seed).hash()).as("seed %d", seed).isEqualTo(run(seed).hash());
        }
    }

    /** Checks that the oracle sees. {@code bin/simulate --defects 2000} looks for each planted defect. */
    @ParameterizedTest
    @EnumSource(
            names = {"SETTLES_WHEN_READ", "PUBLISHES_TWICE", "CLAIMS_NOT_SENT", "COUNTS_FEWER_ATTEMPTS", "LOSES_CONFIRM"
            })
    void aPlantedDefectIsFound(PlantedDefect defect) {
        Campaign campaign = new Campaign(BrokerKind.QUEUE, defect::wiring, 1);

        long seed = campaign.run(new SeedRange(1, DEFECT_SEEDS), false, (violating, run) -> {});

        assertThat(seed).isPositive();
    }

    private static Run run(long seed) {
        return Run.of(Schedule.of(seed), BrokerKind.QUEUE, Wiring.CORRECT, Trace.hashOnly());
    }
}
