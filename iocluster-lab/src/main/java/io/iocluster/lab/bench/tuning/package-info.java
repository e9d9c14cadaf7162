/** The tuning scenario: a ramp of load with and without the advisor, and its chart. */
package io.iocluster.lab.bench.tuning;
