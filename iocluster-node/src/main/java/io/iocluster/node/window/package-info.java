/** What happened recently, from totals that only grow. */
package io.iocluster.node.window;
