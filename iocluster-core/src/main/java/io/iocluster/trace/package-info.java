/**
 * Where a tracer is told of messages, attempts and answers, without a tracer's type: {@link io.iocluster.trace.Tracing} begins a
 * {@link io.iocluster.trace.MessageTrace}, which begins an {@link io.iocluster.trace.AttemptTrace} and a {@link
 * io.iocluster.trace.PublishTrace} for each that it has.
 */
package io.iocluster.trace;
