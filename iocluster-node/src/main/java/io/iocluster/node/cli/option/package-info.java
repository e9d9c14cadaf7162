/** Options and arguments that several commands have. */
package io.iocluster.node.cli.option;
