/**
 * A target that does what each URL asks of it: {@link io.iocluster.testkit.target.TargetServer}, its {@link
 * io.iocluster.testkit.target.Behaviours} and the {@link io.iocluster.testkit.target.RequestLog} of what it saw. And
 * one that does nothing at all: {@link io.iocluster.testkit.target.BlackHole}.
 */
package io.iocluster.testkit.target;
