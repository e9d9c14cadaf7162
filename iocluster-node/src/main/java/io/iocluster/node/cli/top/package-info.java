/**
 * The command {@code top}: {@link io.iocluster.node.cli.top.Sample} reads the nodes, {@link
 * io.iocluster.node.cli.top.TopView} compares two samples, and {@link io.iocluster.node.cli.top.TopScreen} draws them.
 */
package io.iocluster.node.cli.top;
