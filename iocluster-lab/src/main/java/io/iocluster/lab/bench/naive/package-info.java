/** The naive loop for each broker, written as simply as possible: the baseline of the benchmark. */
package io.iocluster.lab.bench.naive;
