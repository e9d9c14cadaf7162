/**
 * Settings of destinations: limits, breaker, retries, and the hosts that belong together. All types are immutable.
 */
package io.iocluster.destination.policy;
