/** Limits what one node holds at once: {@link io.iocluster.pipeline.capacity.InFlightWindow} counts the calls and their bytes. */
package io.iocluster.pipeline.capacity;
