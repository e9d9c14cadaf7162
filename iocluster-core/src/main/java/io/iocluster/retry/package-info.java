/** Decides whether a failed attempt is retried, and after which delay. */
package io.iocluster.retry;
