package io.iocluster.pipeline;

import io.iocluster.cache.shared.SharedStore;
import io.iocluster.egress.CurrentEgressPolicy;
import io.iocluster.http.client.NettyHttpExecutorFactory;
import io.iocluster.pipeline.event.PipelineEvents;
import io.iocluster.thread.Platform;

/**
 * What connects a pipeline to targets and to other nodes.
 *
 * @param executors creates the HTTP client of each worker
 * @param stores opens the store of the cache that nodes share
 */
record PipelineParts(CurrentEgressPolicy egress, HttpExecutorFactory executors, SharedStore.Factory stores) {

    /** Returns the parts of a node. */
    static PipelineParts of(PipelineSettings settings, PipelineEvents events, SharedStore.Factory stores) {
        CurrentEgressPolicy egress =
                new CurrentEgressPolicy(settings.egress(), new EgressReportLog(events, Platform.system()));
        return new PipelineParts(egress, HttpExecutorFactory.of(new NettyHttpExecutorFactory(egress)), stores);
    }
}
