/** The latest failed calls of a node, by destination and error code. */
package io.iocluster.node.failures;
