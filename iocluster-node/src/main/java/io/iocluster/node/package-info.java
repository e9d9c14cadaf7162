/**
 * The runnable node: {@code Main} takes a command, {@code Node} is one node with its
 * pipeline, metrics and admin server.
 */
package io.iocluster.node;
