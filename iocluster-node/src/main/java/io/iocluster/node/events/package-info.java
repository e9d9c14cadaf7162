/**
 * The state of a node as server-sent events. {@link io.iocluster.node.events.EventStreams} reads each {@linkplain
 * io.iocluster.node.events.EventPart part} once for all open streams and offers it to those that have an older one; an {@code EventStream}
 * sends what its client has not read yet.
 */
package io.iocluster.node.events;
