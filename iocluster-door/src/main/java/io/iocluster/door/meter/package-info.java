/** The metrics of the door. */
package io.iocluster.door.meter;
