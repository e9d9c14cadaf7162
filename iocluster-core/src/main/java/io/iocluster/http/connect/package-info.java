/**
 * Opens connections: resolves the host, connects to one of its addresses (RFC 8305), opens a tunnel through a proxy, and completes the TLS
 * handshake. The egress policy checks the addresses before a connection is opened.
 */
package io.iocluster.http.connect;
