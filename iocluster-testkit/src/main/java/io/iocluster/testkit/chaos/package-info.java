/**
 * Generates chaos plans: a {@link io.iocluster.testkit.chaos.ChaosPlan} schedules calls and faults, and is determined
 * by its seed. This package starts no process and opens no connection. {@link io.iocluster.testkit.chaos.invariant}
 * checks the results.
 */
package io.iocluster.testkit.chaos;
