package io.iocluster.lab.load.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.lab.load.agent.Messages.AgentState;
import io.iocluster.lab.load.agent.Messages.AgentStep;
import io.iocluster.lab.load.result.TimePoint;
import java.util.List;
import org.junit.jupiter.api.Test;

class RemoteAgentTest {

    private final RemoteAgent agent = new RemoteAgent("a");

    @Test
    void aSecondThatWasLostDoesNotHideTheNextOne() {
        assertThat(agent.lastSecond()).isEqualTo(-1);

        announce(0);
        announce(2);
        announce(1);

        assertThat(agent.lastSecond()).isEqualTo(2);
        assertThat(agent.points()).containsOnlyKeys(0L, 2L);
    }

    @Test
    void theClockIsMeasuredWithMessagesOfThisDriverOnly() {
        repeatMessageOfDriver(null, AgentStep.FREE);
        assertThat(agent.clock().isKnown()).isFalse();

        repeatMessageOfDriver("run", AgentStep.READY);
        assertThat(agent.clock().isKnown()).isTrue();
    }

    private void repeatMessageOfDriver(String run, AgentStep step) {
        agent.heard(
                new AgentState("a", "1", "1", "host", run, step, null, 1, 100, 0, 200, List.of(), 0, 0, null), 300, 0);
    }

    private void announce(long second) {
        TimePoint point = new TimePoint(second, "p", 1, 1, 1, 0, 0, null, null, null, 5);
        agent.heard(
                new AgentState(
                        "a", "1", "1", "host", "run", AgentStep.RUNNING, null, 0, 0, 0, 0, List.of(point), 0, 0, null),
                0,
                0);
    }
}
