/**
 * Assembles a node: {@link io.iocluster.node.runtime.Node} creates the pipeline, the metrics, the admin server and the features, and
 * connects them. It is the only class that knows them all.
 */
package io.iocluster.node.runtime;
