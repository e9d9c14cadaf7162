package io.iocluster.node.runtime;

import io.iocluster.node.config.NodeSettings;
import io.iocluster.pipeline.Pipeline;
import io.iocluster.pipeline.event.PipelineEvents;
import io.iocluster.trace.Tracing;

/** Creates the pipeline of a node. */
@FunctionalInterface
public interface PipelineFactory {

    /**
     * Creates a pipeline that is not yet started.
     *
     * @param events listener for the events of the pipeline
     * @param tracing creates the spans of its messages
     */
    Pipeline create(NodeSettings settings, PipelineEvents events, Tracing tracing);
}
