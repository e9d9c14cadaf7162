/** The command line of the benchmark: compares a node with a naive loop in alternating rounds. */
package io.iocluster.lab.bench;
