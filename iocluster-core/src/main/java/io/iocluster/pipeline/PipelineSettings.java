package io.iocluster.pipeline;

import io.iocluster.egress.EgressSettings;
import io.iocluster.http.HttpSettings;
import io.iocluster.retry.RetrySettings;

/**
 * All that a pipeline is made from, but its transport.
 *
 * @param node this node's id, which answers and dead letters carry
 */
public record PipelineSettings(
        String node, WorkerSettings workers, HttpSettings http, RetrySettings retry, EgressSettings egress) {}
