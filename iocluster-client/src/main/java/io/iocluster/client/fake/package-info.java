/** A cluster in memory, for the tests of programs that use the client. */
package io.iocluster.client.fake;
