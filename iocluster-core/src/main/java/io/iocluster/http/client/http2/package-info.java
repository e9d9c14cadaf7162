/**
 * Limits what a target can make an event loop do on an HTTP/2 connection, because the client builds Netty's codec without such limits
 * and leaves its errors unhandled.
 */
package io.iocluster.http.client.http2;
