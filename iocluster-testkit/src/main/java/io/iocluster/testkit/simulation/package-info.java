/**
 * Runs processes in one thread on virtual time. Knows nothing about nodes, brokers and targets. Change it only if a kind of concurrency of
 * the operating system is missing.
 */
package io.iocluster.testkit.simulation;
