/**
 * Generates chaos plans: a seed gives a {@link io.iocluster.testkit.chaos.ChaosPlan}, which says which calls are sent and which faults
 * happen, and when. Nothing here starts a process or opens a connection. {@link io.iocluster.testkit.chaos.invariant} checks the
 * outcomes of the calls.
 */
package io.iocluster.testkit.chaos;
