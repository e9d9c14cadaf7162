/**
 * What Prometheus sees, under the names of the contract. {@link io.iocluster.node.metrics.PipelineMetrics} counts what
 * happens, {@link io.iocluster.node.metrics.PipelineGauges} and {@link io.iocluster.node.metrics.DestinationGauges} show what
 * is, {@link io.iocluster.node.metrics.NodeMetrics} owns the registry.
 */
package io.iocluster.node.metrics;
