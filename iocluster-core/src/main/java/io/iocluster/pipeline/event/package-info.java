/**
 * What a pipeline reports: events for metrics ({@link io.iocluster.pipeline.event.PipelineEvents}) and log lines at a limited rate. Every
 * other package of the pipeline uses this one and its clock; it uses none of them.
 */
package io.iocluster.pipeline.event;
