/**
 * The commands, one class each; {@link io.iocluster.node.cli.Commands} puts them together and decides the exit code: 0 done,
 * 1 failed at work, 2 wrong usage or configuration.
 */
package io.iocluster.node.cli;
