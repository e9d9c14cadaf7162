/**
 * Opens TCP connections to a host with several addresses: in which order, when the next one is tried, and which one
 * wins (RFC 8305). The addresses are resolved and checked by the egress policy before.
 */
package io.iocluster.http.connect;
