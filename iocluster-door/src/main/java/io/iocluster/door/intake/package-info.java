/** From an envelope to its call, for all servers of the door: checks, limits, asynchronous calls. */
package io.iocluster.door.intake;
