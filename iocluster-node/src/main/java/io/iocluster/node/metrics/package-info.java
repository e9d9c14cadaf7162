/**
 * The metrics of a node, as docs/metrics.md lists them. {@link io.iocluster.node.metrics.PipelineMetrics} counts events, {@link
 * io.iocluster.node.metrics.PipelineGauges} and {@link io.iocluster.node.metrics.DestinationGauges} show the current status, and
 * {@link io.iocluster.node.metrics.NodeMetrics} owns the registry. Each other class with {@code Meters} in its name shows one subject. Add a
 * metric to the class of its subject, or add a class and bind it in {@link io.iocluster.node.metrics.PipelineMeters} or in the node.
 */
package io.iocluster.node.metrics;
