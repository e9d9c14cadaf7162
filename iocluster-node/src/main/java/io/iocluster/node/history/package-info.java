/** Remembers the figures of the node in memory, so that a reopened console has charts. */
package io.iocluster.node.history;
