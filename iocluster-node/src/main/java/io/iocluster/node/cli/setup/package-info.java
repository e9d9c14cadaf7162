/** The commands that a new user runs once: a first configuration, and completion in the shell. */
package io.iocluster.node.cli.setup;
