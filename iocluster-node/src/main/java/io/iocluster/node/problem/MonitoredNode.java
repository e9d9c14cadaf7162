package io.iocluster.node.problem;

import io.iocluster.cache.shared.SharedCacheStatus;
import io.iocluster.destination.DestinationStatus;
import io.iocluster.node.config.NodeSettings;
import io.iocluster.node.reload.ConfigurationStatus;
import io.iocluster.node.tuning.TuningStatus;
import io.iocluster.pipeline.PipelineStatus;
import io.iocluster.pipeline.event.UnpublishedAnswers;
import io.iocluster.producer.AppStatus;
import io.iocluster.upstream.UpstreamStatus;
import java.util.List;
import java.util.Optional;

/** The node as the monitor of its problems sees it. Thread-safe; no method blocks. */
public interface MonitoredNode {

    /** Returns the current settings. */
    NodeSettings settings();

    /** Returns the current status of the pipeline. */
    PipelineStatus status();

    /** Returns the configured destinations and those that were called recently. */
    List<DestinationStatus> destinations();

    /** Returns the configured apps and those that sent calls recently. */
    List<AppStatus> apps();

    /** Returns the upstreams of all destinations. */
    List<UpstreamStatus> upstreams();

    /** Returns the cache that nodes share; empty if they share none. */
    Optional<SharedCacheStatus> sharedCache();

    /** Returns the answers that a topic or queue does not accept, the most first. */
    List<UnpublishedAnswers> unpublishedAnswers();

    /** Returns what the advisor says about the size of the node. */
    TuningStatus tuning();

    /** Returns the status of the live configuration. */
    ConfigurationStatus configuration();
}
