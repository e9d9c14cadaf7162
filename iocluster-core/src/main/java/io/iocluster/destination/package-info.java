/**
 * Whom the node calls, and how much of it each may have, so that one bad destination hurts only itself: {@link
 * io.iocluster.destination.policy.DestinationSettings} names a destination by its hosts, {@link
 * io.iocluster.destination.policy.DestinationPolicy} says what holds for it, and {@link io.iocluster.destination.DestinationRegistry} finds
 * the {@link io.iocluster.destination.Destination} of a call, which admits it, lets it wait in its line, or turns it away.
 *
 * <p>Each destination has one lock, which guards all that it knows; nothing waits under it. What destinations know of each
 * other is brought up to date by {@link io.iocluster.destination.DestinationRegistry#tick}, which also begins what has waited. The
 * names of Resilience4j and of concurrency-limits stop here.
 */
package io.iocluster.destination;
