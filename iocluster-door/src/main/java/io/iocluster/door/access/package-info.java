/** Who may use the door, and how much: apps, their tokens and limits, and the calls that are open. */
package io.iocluster.door.access;
