/**
 * Limits what one node holds at once. {@link io.iocluster.pipeline.capacity.InFlightWindow} counts the calls and their bytes;
 * {@link io.iocluster.pipeline.capacity.PrefetchHint} tells the source how many messages to read ahead.
 */
package io.iocluster.pipeline.capacity;
