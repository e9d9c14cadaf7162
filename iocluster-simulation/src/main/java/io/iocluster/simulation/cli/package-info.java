/** The command {@code bin/simulate}. */
package io.iocluster.simulation.cli;
