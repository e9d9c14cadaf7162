/** Composes a door with the node's settings, metrics and tracing. */
package io.iocluster.node.door;
