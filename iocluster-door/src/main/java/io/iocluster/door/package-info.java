/**
 * The door: servers for HTTP and gRPC that take calls from programs without a queue client. {@link io.iocluster.door.Door} is its
 * composition root (docs/adr/0050-a-door-for-callers-without-a-queue-client.md).
 */
package io.iocluster.door;
