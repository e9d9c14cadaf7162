package io.iocluster.node.problem;

import io.iocluster.cache.shared.SharedCacheStatus;
import io.iocluster.node.reload.ConfigurationStatus;
import io.iocluster.pipeline.PipelineStatus;
import io.iocluster.producer.AppStatus;
import io.iocluster.upstream.UpstreamStatus;
import java.util.List;
import java.util.Optional;

/**
 * What the problems of a node are derived from. Immutable.
 *
 * @param brokerAddress the configured addresses of the broker, without credentials
 * @param sharedCache empty if nodes share no cache
 */
record NodeSnapshot(
        PipelineStatus pipeline,
        String brokerAddress,
        ConfigurationStatus configuration,
        List<DestinationResults> destinations,
        List<UpstreamStatus> upstreams,
        Optional<SharedCacheStatus> sharedCache,
        List<AppStatus> apps,
        CodeCounts codes) {

    NodeSnapshot {
        destinations = List.copyOf(destinations);
        upstreams = List.copyOf(upstreams);
        apps = List.copyOf(apps);
    }
}
