package io.iocluster.testkit.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.iocluster.testkit.chaos.ChaosPlan.ScheduledFault;
import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class ChaosPlannerTest {

    private static final Set<FaultKind> EVERY_KIND = EnumSet.allOf(FaultKind.class);

    private final ChaosProfile profile = ChaosProfile.thorough(EVERY_KIND);
    private final ChaosPlanner planner = new ChaosPlanner(profile);

    @Test
    void generatesTheSamePlanForTheSameSeed() {
        assertThat(planner.generate(7)).isEqualTo(new ChaosPlanner(profile).generate(7));
    }

    @Test
    void generatesTheSamePlanOnEveryMachine() {
        ChaosPlan plan = new ChaosPlanner(ChaosProfile.quick(EVERY_KIND)).generate(1);

        assertThat(plan.describe().lines().map(String::strip))
                .containsExactly(
                        "313 ms  ChangeCallMix[callMix=MOSTLY_SLOW]",
                        "1934 ms  SuspendNode[node=1, millis=548]",
                        "2088 ms  MoveLeader[]");
        assertThat(plan.calls().get(100)).isEqualTo(new PlannedCall("c1-100", 666, CallKind.DRIP, false, 0, false));
    }

    @Test
    void generatesDifferentPlansForDifferentSeeds() {
        assertThat(LongStream.range(0, 200)
                        .mapToObj(seed -> planner.generate(seed).scheduledFaults())
                        .collect(Collectors.toSet()))
                .hasSize(200);
    }

    @Test
    void drawsEveryFaultEventually() {
        Set<Class<?>> drawn = LongStream.range(0, 50)
                .boxed()
                .flatMap(seed -> planner.generate(seed).scheduledFaults().stream())
                .map(scheduled -> scheduled.fault().getClass())
                .collect(Collectors.toSet());

        assertThat(drawn).hasSize(EVERY_KIND.size()).isEqualTo(Set.of(Fault.class.getPermittedSubclasses()));
    }

    @Test
    void drawsOnlyFaultsOfTheProfile() {
        ChaosPlanner cutPlanner = new ChaosPlanner(ChaosProfile.quick(Set.of(FaultKind.CUT_CONNECTIONS)));

        assertThat(LongStream.range(0, 20)
                        .boxed()
                        .flatMap(seed -> cutPlanner.generate(seed).scheduledFaults().stream())
                        .map(ScheduledFault::fault))
                .containsOnly(new Fault.CutConnections());
    }

    @Test
    void refusesAProfileWithoutFaults() {
        assertThatThrownBy(() -> new ChaosProfile(1_000, 1, 1, 300, Set.of()))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void startsFaultsInOrderWhileCallsAreSent() {
        ChaosPlan plan = planner.generate(3);

        assertThat(plan.scheduledFaults())
                .hasSize(profile.faultCount())
                .extracting(ScheduledFault::startMillis)
                .isSorted()
                .allMatch(at -> at < profile.durationMillis());
        assertThat(plan.calls())
                .hasSize(1_500)
                .extracting(PlannedCall::sendAtMillis)
                .isSorted()
                .allMatch(at -> at < profile.durationMillis());
    }

    @Test
    void callsFailingTargetsOnlyAfterTheCallMixChanges() {
        ChaosPlanner calm = new ChaosPlanner(ChaosProfile.quick(Set.of(FaultKind.CUT_CONNECTIONS)));
        ChaosPlanner changing = new ChaosPlanner(ChaosProfile.quick(Set.of(FaultKind.CHANGE_CALL_MIX)));

        assertThat(calm.generate(1).calls()).extracting(PlannedCall::kind).doesNotContain(CallKind.NO_RESPONSE);
        assertThat(LongStream.range(0, 10)
                        .boxed()
                        .flatMap(seed -> changing.generate(seed).calls().stream())
                        .map(PlannedCall::kind))
                .contains(CallKind.values());
    }
}
