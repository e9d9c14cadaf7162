package io.iocluster.node;

import io.iocluster.node.config.NodeSettings;
import io.iocluster.node.runtime.PipelineFactory;
import io.iocluster.pipeline.Pipeline;
import io.iocluster.pipeline.event.PipelineEvents;
import io.iocluster.testkit.memory.MemoryBroker;
import io.iocluster.testkit.memory.MemoryCluster;
import io.iocluster.testkit.memory.MemoryTransport;
import io.iocluster.thread.Platform;
import io.iocluster.trace.Tracing;
import io.iocluster.transport.cluster.ClusterChannel;
import java.util.Optional;

/** Creates what a node needs from an in-memory broker, on which the nodes of the cluster announce themselves. */
public record MemoryPipelines(MemoryBroker broker, MemoryCluster cluster) implements PipelineFactory {

    /** Returns a factory of pipelines on this broker, for nodes that announce themselves nowhere. */
    public static PipelineFactory alone(MemoryBroker broker) {
        return new MemoryPipelines(broker, new MemoryCluster())::create;
    }

    @Override
    public Pipeline create(NodeSettings settings, PipelineEvents events, Tracing tracing) {
        return new Pipeline(settings.pipeline(), new MemoryTransport(broker), events, tracing, Platform.system());
    }

    @Override
    public Optional<ClusterChannel> clusterChannel(NodeSettings settings) {
        return settings.cluster().enabled() ? Optional.of(cluster.newChannel()) : Optional.empty();
    }
}
