package io.iocluster.node.problem;

import io.iocluster.node.reload.ConfigurationStatus;
import io.iocluster.pipeline.PipelineStatus;
import io.iocluster.producer.AppStatus;
import java.util.List;

/**
 * What the problems of a node are derived from. Immutable.
 *
 * @param brokerAddress the configured addresses of the broker, without credentials
 */
record NodeSnapshot(
        PipelineStatus pipeline,
        String brokerAddress,
        ConfigurationStatus configuration,
        List<DestinationResults> destinations,
        List<AppStatus> apps,
        CodeCounts codes) {

    NodeSnapshot {
        destinations = List.copyOf(destinations);
        apps = List.copyOf(apps);
    }
}
