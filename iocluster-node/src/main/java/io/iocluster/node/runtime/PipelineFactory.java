package io.iocluster.node.runtime;

import io.iocluster.node.config.NodeSettings;
import io.iocluster.pipeline.Pipeline;
import io.iocluster.pipeline.PipelineEvents;
import io.iocluster.trace.Tracing;

/** Makes a node's pipeline, not yet started. */
@FunctionalInterface
public interface PipelineFactory {

    /**
     * Makes one.
     *
     * @param events told what happens in it
     * @param tracing follows its messages
     */
    Pipeline create(NodeSettings settings, PipelineEvents events, Tracing tracing);
}
