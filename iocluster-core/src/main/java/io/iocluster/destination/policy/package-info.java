/**
 * What the configuration says about destinations: limits, breaker, retries, and which hosts belong together. Immutable.
 */
package io.iocluster.destination.policy;
