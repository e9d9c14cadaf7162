/** The subcommands of {@code load}. */
package io.iocluster.lab.load.command;
