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
        assertThat(Readiness.problem(TestStatuses.CONNECTED, "127.0.0.1:9092", false))
                .isNull();
    }

    @Test
    void aFullNodeWithoutProgressIsNotReady() {
        PipelineStatus stuck = RecordCopy.with(TestStatuses.CONNECTED, "stuck", true);

        assertThat(Readiness.problem(stuck, "127.0.0.1:9092", false)).contains("full", "workers.progress-timeout");
    }

    @Test
    void aNodeThatIsNotConnectedIsNotReady() {
        assertThat(Readiness.problem(TestStatuses.DISCONNECTED, "127.0.0.1:9092", false))
                .isEqualTo("kafka at 127.0.0.1:9092 is not connected: connection refused");
    }

    @Test
    void aDrainingNodeIsNotReady() {
        PipelineStatus draining = RecordCopy.with(TestStatuses.CONNECTED, "state", PipelineState.DRAINING);

        assertThat(Readiness.problem(draining, "127.0.0.1:9092", false)).isEqualTo("the node is draining");
    }

    @Test
    void aNodeThatWarmsUpIsNotReady() {
        PipelineStatus starting = RecordCopy.with(TestStatuses.DISCONNECTED, "state", PipelineState.NEW);

        assertThat(Readiness.problem(starting, "127.0.0.1:9092", true))
                .isEqualTo("the node is warming up; see node.warm-up");
        assertThat(Readiness.problem(starting, "127.0.0.1:9092", false)).isEqualTo("the node is starting");
    }

    @Test
    void aNodeThatIsStoppedDuringItsWarmUpIsNotWarmingUp() {
        PipelineStatus stopped = RecordCopy.with(TestStatuses.DISCONNECTED, "state", PipelineState.STOPPED);

        assertThat(Readiness.problem(stopped, "127.0.0.1:9092", true)).isEqualTo("the node is stopped");
    }
}
