/**
 * The suite that every transport passes: {@link io.iocluster.testkit.contract.TransportContract}, over a small {@link
 * io.iocluster.testkit.contract.TransportFixture} that each transport's tests provide.
 */
package io.iocluster.testkit.contract;
