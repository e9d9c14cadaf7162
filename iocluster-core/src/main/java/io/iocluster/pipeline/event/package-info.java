/**
 * What a pipeline reports: events for metrics ({@link io.iocluster.pipeline.event.PipelineEvents}). Every other package of the pipeline
 * uses this one; it uses none of them.
 */
package io.iocluster.pipeline.event;
