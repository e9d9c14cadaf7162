package io.iocluster.node.tuning;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.node.config.TuningSettings;
import io.iocluster.node.config.TuningSettings.Mode;
import io.iocluster.node.tuning.ClusterAdvisor.NodeObservation;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ClusterAdvisorTest {

    private final ClusterAdvisor advisor = new ClusterAdvisor(Clock.systemUTC());
    private final List<QueueSimulation> nodes = new ArrayList<>();
    private final TuningSettings settings = TunedSimulation.withMode(Mode.ADVISE);
    private boolean sharesOneQueue;
    private int seconds;

    @Test
    void leavesNodesThatKeepUpAsTheyAre() {
        add(100);
        add(100);

        assertThat(adviceAfter(20).verdict()).isEqualTo(Verdict.HOLD);
        assertThat(adviceAfter(1).reason()).startsWith("the node");
    }

    @Test
    void advisesMoreCallsInFlightForAllNodesTogether() {
        // 50 slots at 100 ms are 500 calls a second.
        add(1_000);
        add(1_000);

        Advice advice = adviceAfter(20);

        assertThat(advice.verdict()).isEqualTo(Verdict.GROW_IN_FLIGHT);
        assertThat(advice.maxInFlight()).isBetween(200, 500);
        assertThat(advice.reason()).contains("all 100 slots are taken");
    }

    @Test
    void advisesNodesInProportionToThoseThatExist() {
        for (int i = 0; i < 4; i++) {
            QueueSimulation node = add(3_000);
            node.slots = 2_000;
            node.cpuSecondsPerCall = 0.001;
        }

        Advice advice = adviceAfter(20);

        // Each node answers 2,000 calls a second at full CPU: 80 % of that are 1,600, and 12,000 calls need 8 nodes or
        // more.
        assertThat(advice.verdict()).isEqualTo(Verdict.ADD_NODES);
        assertThat(advice.additionalNodes()).isBetween(3, 6);
    }

    @Test
    void saysThatTheTargetIsFull() {
        for (int i = 0; i < 2; i++) {
            add(1_000).saturated = List.of(new SaturatedDestination("partner", "has its limit in flight", 50));
        }

        Advice advice = adviceAfter(20);

        assertThat(advice.verdict()).isEqualTo(Verdict.TARGET_SATURATED);
        assertThat(advice.reason()).contains("partner has its limit in flight");
    }

    @Test
    void countsAQueueThatAllNodesReadOnce() {
        sharesOneQueue = true;
        add(1_000);
        add(1_000);

        // Each node reports the same queue, so the backlog of one of them is that of the cluster.
        adviceAfter(20);
        Advice advice = adviceAfter(1);

        long backlog = Math.round(nodes.get(0).queued);
        assertThat(advice.reason()).startsWith(ReasonFormat.number(backlog) + " messages wait");
    }

    @Test
    void isNotMisledByANodeThatLeaves() {
        add(100);
        QueueSimulation second = add(100);
        adviceAfter(20);

        nodes.remove(second);

        assertThat(adviceAfter(20).verdict()).isEqualTo(Verdict.HOLD);
    }

    @Test
    void knowsNothingIfANodeDoesNotKnowItsLag() {
        add(1_000);
        add(1_000).isLagKnown = false;

        assertThat(adviceAfter(20).reason()).startsWith("the lag was unknown");
    }

    @Test
    void ignoresTheLagOfANodeThatDoesNotRead() {
        add(1_000);
        QueueSimulation paused = add(0);
        paused.stopReason = "an operator paused the node";
        paused.isLagKnown = false;

        assertThat(adviceAfter(20).verdict()).isEqualTo(Verdict.GROW_IN_FLIGHT);
    }

    @Test
    void saysThatNoNodeReads() {
        add(100).stopReason = "an operator paused the node";

        assertThat(adviceAfter(20).reason()).isEqualTo("no node reads: an operator paused the node");
    }

    @Test
    void saysNothingIfTheAdvisorIsOff() {
        add(1_000);

        Advice advice = advisor.evaluate(observations(), TunedSimulation.withMode(Mode.OFF), 0)
                .advice();

        assertThat(advice).isEqualTo(Advice.hold("tuning.mode is off"));
    }

    private QueueSimulation add(double inputPerSecond) {
        QueueSimulation node = new QueueSimulation();
        node.inputPerSecond = inputPerSecond;
        nodes.add(node);
        return node;
    }

    /** Returns the advice after this many seconds, with an evaluation every second one. */
    private Advice adviceAfter(int span) {
        Advice advice = null;
        for (int i = 0; i < span || advice == null; i++) {
            seconds++;
            nodes.forEach(QueueSimulation::advance);
            if (seconds % 2 == 0) {
                advice = advisor.evaluate(observations(), settings, seconds * 1_000_000_000L)
                        .advice();
            }
        }
        return advice;
    }

    private List<NodeObservation> observations() {
        List<NodeObservation> all = new ArrayList<>();
        for (int i = 0; i < nodes.size(); i++) {
            Observation observation = nodes.get(i).sample(seconds * 1_000_000_000L);
            all.add(new NodeObservation("node-" + System.identityHashCode(nodes.get(i)), sharesOneQueue, observation));
        }
        return all;
    }
}
