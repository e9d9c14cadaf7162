/**
 * Checks the results of a chaos plan. A {@link io.iocluster.testkit.chaos.invariant.CallRecorder} records messages,
 * requests and answers; {@link io.iocluster.testkit.chaos.invariant.Invariants} derives violations from them.
 */
package io.iocluster.testkit.chaos.invariant;
