package io.iocluster.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PipelineStateTest {

    @Test
    void eachIsCalledByAWord() {
        assertThat(PipelineState.values())
                .extracting(PipelineState::wireName)
                .containsExactly("starting", "running", "draining", "stopped");
    }
}
