/** Consumes request messages with a prefetch that follows the free capacity, and hands them to the pipeline. */
package io.iocluster.rabbit.source;
