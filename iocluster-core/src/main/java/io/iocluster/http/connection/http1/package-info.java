/** HTTP/1.1 on one connection, with Netty's encoder and decoder. */
package io.iocluster.http.connection.http1;
