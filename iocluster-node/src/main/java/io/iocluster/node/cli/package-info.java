/**
 * The commands, one class each. {@link io.iocluster.node.cli.Commands} assembles them and maps results to exit codes:
 * 0 success, 1 failure, 2 invalid command line or configuration.
 */
package io.iocluster.node.cli;
