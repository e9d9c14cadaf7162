package io.iocluster.node.problem;

import io.iocluster.cache.shared.SharedCacheStatus;
import io.iocluster.node.reload.ConfigurationStatus;
import io.iocluster.node.tuning.TuningStatus;
import io.iocluster.pipeline.PipelineStatus;
import io.iocluster.pipeline.event.UnpublishedAnswers;
import io.iocluster.producer.AppStatus;
import io.iocluster.upstream.UpstreamStatus;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What the problems of a node are derived from. Immutable.
 *
 * @param brokerAddress the configured addresses of the broker, without credentials
 * @param answersTo the topic or queue of the answers without a reply-to
 * @param deadLettersTo the topic or queue of the dead letters
 * @param sharedCache empty if nodes share no cache
 * @param grownApps apps that send a larger part of the calls than usual
 * @param unpublished answers that a topic or queue does not accept
 * @param tuning what the advisor says about the size of the node
 */
record NodeSnapshot(
        PipelineStatus pipeline,
        String brokerAddress,
        String answersTo,
        String deadLettersTo,
        ConfigurationStatus configuration,
        List<DestinationResults> destinations,
        List<UpstreamStatus> upstreams,
        Optional<SharedCacheStatus> sharedCache,
        List<AppStatus> apps,
        Set<String> grownApps,
        List<UnpublishedAnswers> unpublished,
        TuningStatus tuning,
        CodeCounts codes) {

    NodeSnapshot {
        destinations = List.copyOf(destinations);
        upstreams = List.copyOf(upstreams);
        apps = List.copyOf(apps);
        grownApps = Set.copyOf(grownApps);
        unpublished = List.copyOf(unpublished);
    }
}
