package io.iocluster.testkit.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.iocluster.testkit.chaos.ChaosPlan.Step;
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
    void makesTheSamePlanFromTheSameSeed() {
        assertThat(planner.plan(7)).isEqualTo(new ChaosPlanner(profile).plan(7));
    }

    @Test
    void makesTheSamePlanOnEveryMachine() {
        ChaosPlan plan = new ChaosPlanner(ChaosProfile.quick(EVERY_KIND)).plan(1);

        assertThat(plan.describe().lines().map(String::strip))
                .containsExactly(
                        "1748 ms  CutConnections[]",
                        "2088 ms  SuspendNode[node=0, millis=654]",
                        "2404 ms  JoinAndLeave[consumers=2, millisEach=278]");
        assertThat(plan.calls().get(100)).isEqualTo(new PlannedCall("c1-100", 666, CallKind.ALL, false, 0, false));
    }

    @Test
    void makesAnotherPlanFromAnotherSeed() {
        assertThat(LongStream.range(0, 200)
                        .mapToObj(seed -> planner.plan(seed).steps())
                        .collect(Collectors.toSet()))
                .hasSize(200);
    }

    @Test
    void drawsEveryFaultSoonerOrLater() {
        Set<Class<?>> drawn = LongStream.range(0, 50)
                .boxed()
                .flatMap(seed -> planner.plan(seed).steps().stream())
                .map(step -> step.fault().getClass())
                .collect(Collectors.toSet());

        assertThat(drawn).hasSize(EVERY_KIND.size()).isEqualTo(Set.of(Fault.class.getPermittedSubclasses()));
    }

    @Test
    void drawsNoFaultThatTheTransportDoesNotKnow() {
        ChaosPlanner cutter = new ChaosPlanner(ChaosProfile.quick(Set.of(FaultKind.CUT_CONNECTIONS)));

        assertThat(LongStream.range(0, 20)
                        .boxed()
                        .flatMap(seed -> cutter.plan(seed).steps().stream())
                        .map(Step::fault))
                .containsOnly(new Fault.CutConnections());
    }

    @Test
    void refusesAProfileWithoutFaults() {
        assertThatThrownBy(() -> new ChaosProfile(1_000, 1, 1, 300, Set.of()))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void startsEveryFaultWhileCallsAreSentAndInOrder() {
        ChaosPlan plan = planner.plan(3);

        assertThat(plan.steps())
                .hasSize(profile.faults())
                .extracting(Step::atMillis)
                .isSorted()
                .allMatch(at -> at < profile.lengthMillis());
        assertThat(plan.calls())
                .hasSize(1_500)
                .extracting(PlannedCall::atMillis)
                .isSorted()
                .allMatch(at -> at < profile.lengthMillis());
    }

    @Test
    void sendsCallsToSickTargetsAfterTheTargetsChangeOnly() {
        ChaosPlanner calm = new ChaosPlanner(ChaosProfile.quick(Set.of(FaultKind.CUT_CONNECTIONS)));
        ChaosPlanner changing = new ChaosPlanner(ChaosProfile.quick(Set.of(FaultKind.CHANGE_TARGETS)));

        assertThat(calm.plan(1).calls()).extracting(PlannedCall::kind).doesNotContain(CallKind.SILENT);
        assertThat(LongStream.range(0, 10)
                        .boxed()
                        .flatMap(seed -> changing.plan(seed).calls().stream())
                        .map(PlannedCall::kind))
                .contains(CallKind.values());
    }
}
