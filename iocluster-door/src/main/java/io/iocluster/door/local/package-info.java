/**
 * Makes calls in the door's own process: a {@link io.iocluster.door.local.LocalQueue} connects the door with the same {@link
 * io.iocluster.pipeline.Pipeline} that a node has, without a broker.
 */
package io.iocluster.door.local;
