/**
 * Assembles a node: {@link io.iocluster.node.runtime.Node} creates the pipeline, the metrics, the admin server and the features, and
 * connects them. No other class depends on all of them.
 */
package io.iocluster.node.runtime;
