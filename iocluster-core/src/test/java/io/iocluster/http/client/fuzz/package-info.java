/**
 * A target for fuzzers: {@link io.iocluster.http.client.fuzz.FuzzServer} sends the bytes of an {@link io.iocluster.http.client.fuzz.Exchange}, which
 * are a valid response with a few mutations, and knows what a client may claim about them.
 */
package io.iocluster.http.client.fuzz;
