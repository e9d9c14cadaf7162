/**
 * Assembles a node: {@link io.iocluster.node.runtime.Node} creates the pipeline, the metrics, the admin server and the features, and
 * connects them. No other class depends on all of them. {@link io.iocluster.node.runtime.NodeRoutes} lists the paths of the features, and
 * the classes with {@code Actions} in their names are paths with which operators change one part of a running node. Add a part to {@link
 * io.iocluster.node.runtime.NodeParts} where it is created, which closes it in time.
 */
package io.iocluster.node.runtime;
