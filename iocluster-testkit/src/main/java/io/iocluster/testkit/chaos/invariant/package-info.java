/**
 * Checks the outcomes of the calls of a chaos plan. A {@link io.iocluster.testkit.chaos.invariant.CallRecorder} collects what was sent, what
 * the targets saw and what was answered; {@link io.iocluster.testkit.chaos.invariant.Invariants} turns this into violations.
 */
package io.iocluster.testkit.chaos.invariant;
