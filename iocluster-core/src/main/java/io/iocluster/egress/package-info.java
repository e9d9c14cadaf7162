/**
 * Where calls may go, and what they may look like. {@link io.iocluster.egress.EgressPolicy} reads a URL with the one strict
 * parser and judges it, as well as method and headers, and {@link io.iocluster.http.dns.CheckedAddressResolverGroup} is the
 * gate that every address passes before it is dialled. {@link io.iocluster.egress.CurrentEgressPolicy} holds the policy of the
 * moment.
 */
package io.iocluster.egress;
