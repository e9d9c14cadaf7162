package io.iocluster.node.runtime;

import io.iocluster.node.config.NodeSettings;
import io.iocluster.pipeline.Pipeline;
import io.iocluster.pipeline.event.PipelineEvents;
import io.iocluster.trace.Tracing;
import io.iocluster.transport.cluster.ClusterChannel;
import java.util.Optional;

/** Creates what a node needs from its broker. */
@FunctionalInterface
public interface PipelineFactory {

    /**
     * Creates a pipeline that is not yet started.
     *
     * @param events listener for the events of the pipeline
     * @param tracing creates the spans of its messages
     */
    Pipeline create(NodeSettings settings, PipelineEvents events, Tracing tracing);

    /** Returns the channel on which the node announces itself, not yet started; empty if it does not. */
    default Optional<ClusterChannel> clusterChannel(NodeSettings settings) {
        return Optional.empty();
    }
}
