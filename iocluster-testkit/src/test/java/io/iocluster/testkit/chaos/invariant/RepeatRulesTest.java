package io.iocluster.testkit.chaos.invariant;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.testkit.chaos.ChaosPlan;
import io.iocluster.testkit.chaos.ChaosPlan.Step;
import io.iocluster.testkit.chaos.Edit;
import io.iocluster.testkit.chaos.Fault;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class RepeatRulesTest {

    private final RepeatRules kafka = new RepeatRules(400, 6_000, false);
    private final RepeatRules rabbit = new RepeatRules(600, 10_000, true);

    @Test
    void nothingIsRepeatedWhenNodesStopInOrderOrChange() {
        ChaosPlan plan = plan(
                new Fault.TerminateNode(0),
                new Fault.ResizeNode(0, 1, 20),
                new Fault.EditConfiguration(1, Edit.MISTAKE),
                new Fault.JoinAndLeave(3, 100),
                new Fault.AddNode(100),
                new Fault.DeleteReplyPlace());

        assertThat(kafka.of(plan)).isEqualTo(Repeats.NONE);
        assertThat(rabbit.of(plan)).isEqualTo(Repeats.NONE);
    }

    @Test
    void aKilledNodeRepeatsWhatItHeld() {
        assertThat(kafka.of(plan(new Fault.KillNode(0, 1)))).isEqualTo(new Repeats(1, 1, 400));
        assertThat(kafka.of(plan(new Fault.KillNode(0, 1), new Fault.KillNode(1, 1))))
                .isEqualTo(new Repeats(2, 2, 800));
    }

    @Test
    void aSuspendedNodeRepeatsOnlyIfTheBrokerMayGiveItUp() {
        assertThat(kafka.of(plan(new Fault.SuspendNode(0, 1_999)))).isEqualTo(Repeats.NONE);
        assertThat(kafka.of(plan(new Fault.SuspendNode(0, 2_000)))).isEqualTo(new Repeats(1, 1, 400));
    }

    @Test
    void kafkaRepeatsNothingWhenItIsAwayAndRabbitWhatBothNodesHeld() {
        List<Fault> faults =
                List.of(new Fault.RestartBroker(true, 1), new Fault.CutConnections(), new Fault.SuspendBroker(9_000));

        assertThat(faults).allSatisfy(fault -> {
            assertThat(kafka.of(plan(fault))).isEqualTo(Repeats.NONE);
            assertThat(rabbit.of(plan(fault))).isEqualTo(new Repeats(1, 2, 2_400));
        });
    }

    private static ChaosPlan plan(Fault... faults) {
        return new ChaosPlan(
                1, Stream.of(faults).map(fault -> new Step(0, fault)).toList(), List.of());
    }
}
