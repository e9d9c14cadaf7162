/** A run: sends the calls of an experiment, records how they end, tells its listeners, and compares the result with the expectations. */
package io.iocluster.lab.load.run;
