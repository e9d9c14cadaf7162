/**
 * Decides where calls may go and which methods and headers they may have. {@link io.iocluster.egress.EgressPolicy}
 * parses a URL with the only, strict parser and checks it, the method and the headers. {@link
 * io.iocluster.http.dns.CheckedAddressResolverGroup} checks every resolved address before a connection is opened.
 * {@link io.iocluster.egress.CurrentEgressPolicy} holds the current policy.
 */
package io.iocluster.egress;
