/** The files of the consoles of nodes and doors. */
package io.iocluster.node.console;
