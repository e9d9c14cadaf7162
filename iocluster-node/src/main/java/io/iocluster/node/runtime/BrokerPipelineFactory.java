package io.iocluster.node.runtime;

import io.iocluster.node.broker.BrokerAccess;
import io.iocluster.node.config.NodeSettings;
import io.iocluster.pipeline.Pipeline;
import io.iocluster.pipeline.event.PipelineEvents;
import io.iocluster.trace.Tracing;
import io.iocluster.transport.cluster.ClusterChannel;
import java.util.Optional;

/** Creates what a node needs from the broker that its settings select. */
public record BrokerPipelineFactory(BrokerAccess broker) implements PipelineFactory {

    @Override
    public Pipeline create(NodeSettings settings, PipelineEvents events, Tracing tracing) {
        return broker.createPipeline(settings, events, tracing);
    }

    @Override
    public Optional<ClusterChannel> clusterChannel(NodeSettings settings) {
        return settings.cluster().enabled() ? Optional.of(broker.createClusterChannel(settings)) : Optional.empty();
    }
}
