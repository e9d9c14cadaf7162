package io.iocluster.testkit.chaos.invariant;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.testkit.chaos.CallKind;
import io.iocluster.testkit.chaos.ChaosPlan;
import io.iocluster.testkit.chaos.ChaosPlan.ScheduledFault;
import io.iocluster.testkit.chaos.ConfigurationEdit;
import io.iocluster.testkit.chaos.Fault;
import io.iocluster.testkit.chaos.PlannedCall;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class DuplicateRulesTest {

    private final DuplicateRules kafka = DuplicateRules.forKafka(400, 6_000);
    private final DuplicateRules rabbit = DuplicateRules.forRabbit(600, 10_000);

    @Test
    void allowsNoDuplicatesForGracefulStopsAndChanges() {
        ChaosPlan plan = plan(
                new Fault.TerminateNode(0),
                new Fault.ResizeNode(0, 1, 20),
                new Fault.EditConfiguration(1, ConfigurationEdit.INVALID),
                new Fault.ChurnConsumers(3, 100),
                new Fault.AddNode(100),
                new Fault.DeleteReplyTo());

        assertThat(kafka.allowedFor(plan)).isEqualTo(AllowedDuplicates.NONE);
        assertThat(rabbit.allowedFor(plan)).isEqualTo(AllowedDuplicates.NONE);
    }

    @Test
    void allowsDuplicatesOfTheCallsThatAKilledNodeHeld() {
        assertThat(kafka.allowedFor(plan(new Fault.KillNode(0, 1)))).isEqualTo(new AllowedDuplicates(1, 1, 400));
        assertThat(kafka.allowedFor(plan(new Fault.KillNode(0, 1), new Fault.KillNode(1, 1))))
                .isEqualTo(new AllowedDuplicates(2, 2, 800));
    }

    @Test
    void allowsDuplicatesOfASuspendedNodeOnlyAfterFailureDetection() {
        assertThat(kafka.allowedFor(plan(new Fault.SuspendNode(0, 1_999)))).isEqualTo(AllowedDuplicates.NONE);
        assertThat(kafka.allowedFor(plan(new Fault.SuspendNode(0, 2_000)))).isEqualTo(new AllowedDuplicates(1, 1, 400));
    }

    @Test
    void allowsDuplicatesWhenTheClockStopsHeartbeats() {
        ChaosPlan forwardAndBack = plan(new Fault.StepClock(0, 2_000, 100));
        ChaosPlan backAndForward = plan(new Fault.StepClock(0, -9_000, 2_000));
        ChaosPlan backForLess = plan(new Fault.StepClock(0, -9_000, 1_999));

        assertThat(kafka.allowedFor(forwardAndBack)).isEqualTo(new AllowedDuplicates(1, 1, 400));
        assertThat(kafka.allowedFor(backAndForward)).isEqualTo(new AllowedDuplicates(1, 1, 400));
        assertThat(kafka.allowedFor(backForLess)).isEqualTo(AllowedDuplicates.NONE);
        assertThat(rabbit.allowedFor(forwardAndBack)).isEqualTo(AllowedDuplicates.NONE);
    }

    @Test
    void brokerRestartAllowsDuplicatesForRabbitOnly() {
        List<Fault> faults = List.of(new Fault.RestartBroker(true, 1), new Fault.SuspendBroker(9_000));

        assertThat(faults).allSatisfy(fault -> {
            assertThat(kafka.allowedFor(plan(fault))).isEqualTo(AllowedDuplicates.NONE);
            assertThat(rabbit.allowedFor(plan(fault))).isEqualTo(new AllowedDuplicates(1, 2, 2_400));
        });
    }

    @Test
    void allowsDuplicatesForEachNodeWhenRabbitClosesTheirConnectionsInTurn() {
        ChaosPlan cut = plan(new Fault.CutConnections());

        assertThat(rabbit.allowedFor(cut)).isEqualTo(new AllowedDuplicates(2, 4, 2_400));
        assertThat(kafka.allowedFor(cut)).isEqualTo(AllowedDuplicates.NONE);
    }

    @Test
    void aCallMayOutlastARevocationWhileItsReplyToIsDeleted() {
        PlannedCall waiting = new PlannedCall("c", 0, CallKind.OK, false, 0, true);
        PlannedCall other = new PlannedCall("c", 0, CallKind.OK, false, 0, false);
        ChaosPlan deletedAndMoved = plan(new Fault.DeleteReplyTo(), new Fault.ChurnConsumers(1, 600));

        assertThat(kafka.mayOutlastRevocation(deletedAndMoved, waiting)).isTrue();
        assertThat(kafka.mayOutlastRevocation(deletedAndMoved, other)).isFalse();
        assertThat(kafka.mayOutlastRevocation(plan(new Fault.DeleteReplyTo()), waiting))
                .isFalse();
        assertThat(kafka.mayOutlastRevocation(plan(new Fault.ChurnConsumers(1, 600)), waiting))
                .isFalse();
        assertThat(rabbit.mayOutlastRevocation(deletedAndMoved, waiting)).isFalse();
    }

    @Test
    void partitionsOfALiveNodeMoveWhenAnotherMemberJoins() {
        PlannedCall waiting = new PlannedCall("c", 0, CallKind.OK, false, 0, true);
        List<Fault> joins = List.of(
                new Fault.KillNode(0, 1),
                new Fault.TerminateNode(0),
                new Fault.AddNode(1),
                new Fault.ChurnConsumers(1, 1),
                new Fault.SuspendNode(0, 2_000));
        List<Fault> others = List.of(
                new Fault.SuspendNode(0, 1_999), new Fault.ResizeNode(0, 1, 20), new Fault.RestartBroker(true, 1));

        assertThat(joins)
                .allMatch(fault -> kafka.mayOutlastRevocation(plan(new Fault.DeleteReplyTo(), fault), waiting));
        assertThat(others)
                .noneMatch(fault -> kafka.mayOutlastRevocation(plan(new Fault.DeleteReplyTo(), fault), waiting));
    }

    @Test
    void allowsDuplicatesOfANodeThatStopsWhileItsBrokerIsDown() {
        ChaosPlan stopped = plan(new Fault.TerminateNode(0), new Fault.RestartBroker(true, 900));

        assertThat(kafka.allowedFor(stopped)).isEqualTo(new AllowedDuplicates(1, 1, 400));
        assertThat(kafka.allowedFor(plan(new Fault.TerminateNode(0)))).isEqualTo(AllowedDuplicates.NONE);
        assertThat(kafka.allowedFor(plan(new Fault.TerminateNode(0), new Fault.SuspendBroker(900))))
                .isEqualTo(AllowedDuplicates.NONE);
    }

    private static ChaosPlan plan(Fault... faults) {
        return new ChaosPlan(
                1, Stream.of(faults).map(fault -> new ScheduledFault(0, fault)).toList(), List.of());
    }
}
