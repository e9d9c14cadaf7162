package io.iocluster.pipeline;

import io.iocluster.credential.AuthenticatingHttpExecutor;
import io.iocluster.credential.CredentialStore;
import io.iocluster.egress.CurrentEgressPolicy;
import io.iocluster.http.HttpExecutor;
import io.iocluster.pipeline.upstream.BalancingHttpExecutor;
import io.iocluster.pipeline.upstream.UpstreamBalancers;
import io.iocluster.thread.NodeClock;
import io.iocluster.thread.Platform;
import io.netty.channel.EventLoopGroup;

/** Creates the executor of each worker: an attempt gets its credential, then its upstream, and is then made. */
record ExecutorStack(
        HttpExecutorFactory executors,
        CredentialStore credentials,
        UpstreamBalancers upstreams,
        CurrentEgressPolicy egress,
        NodeClock clock) {

    /** Creates a stack whose upstreams are those of the settings. */
    static ExecutorStack of(
            HttpExecutorFactory executors,
            CredentialStore credentials,
            CurrentEgressPolicy egress,
            PipelineSettings settings,
            Platform platform) {
        UpstreamBalancers upstreams = new UpstreamBalancers(platform, platform.random(), egress);
        upstreams.applySettings(settings.destinations(), settings.destinationDefaults());
        return new ExecutorStack(executors, credentials, upstreams, egress, platform);
    }

    /** Creates an executor on a group of exactly one event loop. The caller shuts the group down after it has closed the executor. */
    HttpExecutor create(EventLoopGroup loop, PipelineSettings settings) {
        HttpExecutor connecting = executors.create(loop, settings.http(), settings.destinationPolicies());
        return new AuthenticatingHttpExecutor(
                new BalancingHttpExecutor(connecting, upstreams), loop.next(), credentials, egress, clock);
    }
}
