/** A run: sends the calls of an experiment, records how they end, and evaluates the expectations. */
package io.iocluster.lab.load.run;
