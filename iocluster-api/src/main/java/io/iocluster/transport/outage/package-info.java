/** Backoff and rate-limited logging for a transport whose broker is unreachable. */
package io.iocluster.transport.outage;
