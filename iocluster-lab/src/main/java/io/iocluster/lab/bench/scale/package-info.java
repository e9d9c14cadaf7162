/** Measures how the cost of a call grows with the size of the work. */
package io.iocluster.lab.bench.scale;
