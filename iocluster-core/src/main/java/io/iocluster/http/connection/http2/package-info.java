/** HTTP/2 on one connection, with Netty's codec, and limits on what a target can make the event loop do. */
package io.iocluster.http.connection.http2;
