package io.iocluster.node;

import io.iocluster.pipeline.Pipeline;
import io.iocluster.pipeline.PipelineStatus;
import java.time.Duration;

/** A pipeline, as a node runs it. Owns it. */
record PipelineRuntime(Pipeline pipeline) implements NodeRuntime {

    @Override
    public void start() {
        pipeline.start();
    }

    @Override
    public PipelineStatus status() {
        return pipeline.status();
    }

    @Override
    public void resize(int threads, int maxInFlight) {
        pipeline.resize(threads, maxInFlight);
    }

    @Override
    public void pause() {
        pipeline.pause();
    }

    @Override
    public void resume() {
        pipeline.resume();
    }

    @Override
    public boolean drain(Duration within) {
        return pipeline.drain(within);
    }

    @Override
    public void close() {
        pipeline.close();
    }
}
