/** The streams of a command, its exit codes, and the text that it prints. */
package io.iocluster.node.cli.terminal;
