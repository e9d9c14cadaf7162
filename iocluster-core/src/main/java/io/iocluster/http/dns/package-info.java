/**
 * Resolves target names: lookup, cache, egress check of each address, and the limit on concurrent connects.
 */
package io.iocluster.http.dns;
