/** The tuning scenario: a ramp of load while the node follows its own advice, and its picture. */
package io.iocluster.lab.bench.tuning;
