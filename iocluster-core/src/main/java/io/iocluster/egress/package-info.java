/**
 * Where calls may go. {@link io.iocluster.egress.EgressPolicy} reads a URL with the one strict parser and judges it, {@link
 * io.iocluster.egress.RequestRules} judges method and headers, and {@link
 * io.iocluster.egress.CheckedAddressResolverGroup} is the gate that every address passes before it is dialled.
 */
package io.iocluster.egress;
