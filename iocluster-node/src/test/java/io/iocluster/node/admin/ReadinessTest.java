package io.iocluster.node.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.node.TestStatuses;
import io.iocluster.pipeline.PipelineState;
import io.iocluster.pipeline.PipelineStatus;
import io.iocluster.testkit.record.RecordCopy;
import org.junit.jupiter.api.Test;

/** Tests when a node reports that it is not ready, and with which reason. */
class ReadinessTest {

    @Test
    void aConnectedRunningNodeIsReady() {
        assertThat(Readiness.problem(TestStatuses.CONNECTED)).isNull();
    }

    @Test
    void aFullNodeWithoutProgressIsNotReady() {
        PipelineStatus stuck = RecordCopy.with(TestStatuses.CONNECTED, "stuck", true);

        assertThat(Readiness.problem(stuck)).contains("full", "workers.progress-timeout");
    }

    @Test
    void aNodeThatIsNotConnectedIsNotReady() {
        assertThat(Readiness.problem(TestStatuses.DISCONNECTED))
                .isEqualTo("kafka is not connected: connection refused");
    }

    @Test
    void aDrainingNodeIsNotReady() {
        PipelineStatus draining = RecordCopy.with(TestStatuses.CONNECTED, "state", PipelineState.DRAINING);

        assertThat(Readiness.problem(draining)).isEqualTo("the node is draining");
    }
}
