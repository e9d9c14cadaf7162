package io.iocluster.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PipelineStateTest {

    @Test
    void eachStateHasAWireName() {
        assertThat(PipelineState.values())
                .extracting(PipelineState::wireName)
                .containsExactly("starting", "running", "draining", "stopped");
    }
}
