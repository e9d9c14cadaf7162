/** Measures how many slots each destination wants, and divides the slots of the node among them. */
package io.iocluster.destination.share;
