/**
 * The metrics of a node, as docs/metrics.md lists them. {@link io.iocluster.node.metrics.PipelineMetrics} counts events, {@link
 * io.iocluster.node.metrics.PipelineGauges} and {@link io.iocluster.node.metrics.DestinationGauges} show the current status, and
 * {@link io.iocluster.node.metrics.NodeMetrics} owns the registry.
 */
package io.iocluster.node.metrics;
