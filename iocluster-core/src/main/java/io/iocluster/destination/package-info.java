/**
 * Whom the node calls, and how much of it each may have, so that one bad destination hurts only itself: {@link
 * io.iocluster.destination.DestinationSettings} names a destination by its hosts, {@link
 * io.iocluster.destination.DestinationPolicy} says what holds for it.
 */
package io.iocluster.destination;
