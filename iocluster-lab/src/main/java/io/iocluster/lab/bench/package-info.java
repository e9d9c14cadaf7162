/**
 * The benchmark. {@link io.iocluster.lab.bench.Bench} measures each subject in turns with one class for each {@link
 * io.iocluster.lab.bench.Scenario}. Its figures are in a {@link io.iocluster.lab.bench.Measurement}, which {@link
 * io.iocluster.lab.bench.BenchReport} prints and writes; charts and tables are those of the load tests.
 */
package io.iocluster.lab.bench;
