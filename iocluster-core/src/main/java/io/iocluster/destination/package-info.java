/**
 * Admits calls by destination, so that one bad destination affects only its own calls. {@link
 * io.iocluster.destination.DestinationRegistry} finds the {@link io.iocluster.destination.Destination} of a call. It
 * admits, queues or rejects the call within its {@link io.iocluster.destination.policy.DestinationPolicy}.
 *
 * <p>Each destination has one lock that guards its state; nothing blocks under it. {@link
 * io.iocluster.destination.DestinationRegistry#tick} updates the state that destinations share and starts waiting
 * calls.
 */
package io.iocluster.destination;
