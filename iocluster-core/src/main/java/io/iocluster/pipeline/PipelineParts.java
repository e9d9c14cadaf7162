package io.iocluster.pipeline;

import io.iocluster.cache.shared.SharedStore;
import io.iocluster.egress.CurrentEgressPolicy;
import io.iocluster.http.client.NettyHttpExecutorFactory;
import io.iocluster.pipeline.event.PipelineEvents;
import io.iocluster.thread.NodeClock;

/**
 * What connects a pipeline to targets and to other nodes. A simulation replaces all but the egress policy.
 *
 * @param executors creates the HTTP client of each worker
 * @param loops creates the event loop of each worker
 * @param stores opens the store of the cache that nodes share
 */
public record PipelineParts(
        CurrentEgressPolicy egress, HttpExecutorFactory executors, WorkerLoops loops, SharedStore.Factory stores) {

    /** Returns the parts of a node. */
    public static PipelineParts of(
            PipelineSettings settings, PipelineEvents events, SharedStore.Factory stores, NodeClock clock) {
        CurrentEgressPolicy egress = new CurrentEgressPolicy(settings.egress(), new EgressReportLog(events, clock));
        return new PipelineParts(
                egress,
                HttpExecutorFactory.of(new NettyHttpExecutorFactory(egress, clock)),
                WorkerLoops.SYSTEM,
                stores);
    }
}
