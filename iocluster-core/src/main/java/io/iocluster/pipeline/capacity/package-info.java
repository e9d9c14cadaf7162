/**
 * Limits what one node holds at once: {@link io.iocluster.pipeline.capacity.InFlightWindow} counts the calls, and a byte budget counts
 * their bytes.
 */
package io.iocluster.pipeline.capacity;
