/** Compares what apps, targets and brokers saw with the promises of docs/guarantees.md. A new promise gets its check here. */
package io.iocluster.simulation.oracle;
