/**
 * How the door makes a call: {@link io.iocluster.door.call.Calls} hides whether a node or the door itself makes it. The package
 * {@code spool} has an implementation that stores calls while the broker is away.
 */
package io.iocluster.door.call;
