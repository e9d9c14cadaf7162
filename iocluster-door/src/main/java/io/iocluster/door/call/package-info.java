/**
 * How the door makes a call: {@link io.iocluster.door.call.Calls} hides whether a node or the door itself makes it. A store that holds
 * calls while the broker is away can implement the same interface.
 */
package io.iocluster.door.call;
