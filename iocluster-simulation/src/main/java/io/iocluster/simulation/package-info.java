/** Plays the schedules of seeds and shrinks those that violate a guarantee. */
package io.iocluster.simulation;
