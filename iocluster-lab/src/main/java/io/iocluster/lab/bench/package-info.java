/** The command line of the benchmark: measures a node against a naive loop, in turns, in one run. */
package io.iocluster.lab.bench;
