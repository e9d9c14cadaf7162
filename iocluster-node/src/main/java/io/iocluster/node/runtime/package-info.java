/**
 * Assembles a node: {@link io.iocluster.node.runtime.Node} creates the pipeline, the metrics, the admin server and the features, and
 * connects them. No other class depends on all of them. Add a part to {@link io.iocluster.node.runtime.NodeParts} where it is created, which
 * closes it in time.
 */
package io.iocluster.node.runtime;
