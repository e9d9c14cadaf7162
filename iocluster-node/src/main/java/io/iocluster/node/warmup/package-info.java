/**
 * Warms up a node before it reads messages: {@link io.iocluster.node.warmup.NodeWarmUp} sends synthetic calls through a separate
 * pipeline to a loopback target. So the JVM has compiled the path of a message when the first real one arrives
 * (docs/adr/0031-a-node-warms-up-before-it-reads.md).
 */
package io.iocluster.node.warmup;
