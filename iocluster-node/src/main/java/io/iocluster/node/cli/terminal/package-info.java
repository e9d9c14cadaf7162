/**
 * What a user types and reads: options that several commands have, the streams of a command, its exit codes, and the text that it prints.
 * Change here what holds for all commands.
 */
package io.iocluster.node.cli.terminal;
