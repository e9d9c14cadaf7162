/**
 * The command {@code explain}: {@link io.iocluster.node.cli.explain.CallExplainer} checks an envelope as a node does, and
 * makes no call.
 */
package io.iocluster.node.cli.explain;
