/** The commands that list, show and replay dead letters. */
package io.iocluster.node.cli.deadletter;
