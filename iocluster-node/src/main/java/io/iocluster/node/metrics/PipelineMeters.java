package io.iocluster.node.metrics;

import io.iocluster.pipeline.Pipeline;

/** Binds the meters of the apps, caches and upstreams of a pipeline. Stateless. */
public final class PipelineMeters {

    private PipelineMeters() {}

    /**
     * Binds the meters. Call it before {@link NodeMetrics#startRefresh}.
     *
     * @param maxUpstreams maximum number of upstreams with separate series
     */
    public static void bind(NodeMetrics metrics, Pipeline pipeline, int maxUpstreams) {
        AppMeters apps = new AppMeters(pipeline::apps);
        metrics.bind(apps, apps::update);
        CacheMeters caches = new CacheMeters(pipeline::caches);
        metrics.bind(caches, caches::update);
        SharedCacheMeters sharedCache = new SharedCacheMeters(pipeline::sharedCache);
        metrics.bind(sharedCache, sharedCache::update);
        UpstreamMeters upstreams = new UpstreamMeters(() -> pipeline.upstreams().status(), maxUpstreams);
        metrics.bind(upstreams, upstreams::update);
    }
}
