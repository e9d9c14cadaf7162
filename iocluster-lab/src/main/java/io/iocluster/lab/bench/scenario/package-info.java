/** The scenarios that the benchmark can run. */
package io.iocluster.lab.bench.scenario;
