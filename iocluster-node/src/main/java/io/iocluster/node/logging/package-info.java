/** How the node writes its log. */
package io.iocluster.node.logging;
