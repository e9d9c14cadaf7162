/** Configures the node's log. */
package io.iocluster.node.logging;
