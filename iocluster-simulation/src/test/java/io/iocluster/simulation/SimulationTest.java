package io.iocluster.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.simulation.cluster.Schedule;
import io.iocluster.simulation.cluster.Wiring;
import io.iocluster.simulation.defect.PlantedDefect;
import io.iocluster.simulation.oracle.Violation;
import io.iocluster.testkit.simulation.Trace;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Runs seeds of the simulation. {@code bin/simulate} runs more of them, and shows the trace of one. */
class SimulationTest {

    /** Of all brokers together. */
    private static final int SEEDS = 300;

    private static final int FAIRNESS_SEEDS = 4;
    /** The first of the seeds run twice, and must give the same run. */
    private static final int REPEATED_SEEDS = 25;

    private static final int BROKERS = BrokerKind.values().length;
    private static final int DEFECT_SEEDS = 500;

    @ParameterizedTest
    @EnumSource
    void everyGuaranteeHolds(BrokerKind broker) {
        List<String> violations = new ArrayList<>();
        for (long seed = 1; seed <= SEEDS / BROKERS; seed++) {
            Run run = run(seed, broker);
            if (seed <= REPEATED_SEEDS / BROKERS) {
                run = run.comparedWith(run(seed, broker));
            }
            for (Violation violation : run.violations()) {
                violations.add("seed " + seed + ": " + violation);
            }
        }

        assertThat(violations).isEmpty();
    }

    @Test
    void badDestinationsDoNotDelayAHealthyOne() {
        List<String> violations = new ArrayList<>();
        for (long seed = 1; seed <= FAIRNESS_SEEDS; seed++) {
            for (Violation violation : Fairness.of(seed, BrokerKind.QUEUE, Wiring.CORRECT, Trace.hashOnly())
                    .violations()) {
                violations.add("seed " + seed + ": " + violation);
            }
        }

        assertThat(violations).isEmpty();
    }

    /** Checks that the oracle sees. {@code bin/simulate --defects 2000} looks for each planted defect. */
    @ParameterizedTest
    @EnumSource(
            names = {
                "SETTLES_WHEN_READ",
                "PUBLISHES_TWICE",
                "CLAIMS_NOT_SENT",
                "COUNTS_FEWER_ATTEMPTS",
                "LOSES_CONFIRM",
                "RELEASES_SLOT_TWICE",
                "LEAVES_EARLY",
                "RABBIT_ACKNOWLEDGES_OPEN",
                "RABBIT_ACKNOWLEDGES_ON_NEXT_CHANNEL",
                "RABBIT_IGNORES_REFUSAL",
                "RABBIT_FORGETS_UNCONFIRMED",
                "COMMITS_PAST_OPEN_RECORDS",
                "IGNORES_LEDGER",
                "DROPS_LAST_RECORD",
                "FORGETS_REVOCATIONS",
                "FORGETS_KEYS",
                "IGNORES_REFUSED_COMMIT",
                "SKIPS_LAST_COMMIT"
            })
    void aPlantedDefectIsFound(PlantedDefect defect) {
        BrokerKind broker = Stream.of(BrokerKind.values())
                .filter(defect::concerns)
                .findFirst()
                .orElseThrow();
        Campaign campaign = new Campaign(broker, defect::wiring, 1, false);

        long seed = campaign.run(new SeedRange(1, DEFECT_SEEDS), false, (violating, run) -> {});

        assertThat(seed).isPositive();
    }

    private static Run run(long seed, BrokerKind broker) {
        return Run.of(Schedule.of(seed), broker, Wiring.CORRECT, Trace.hashOnly());
    }
}
