/** Measures the start of an installed node, and its first calls. */
package io.iocluster.lab.bench.start;
