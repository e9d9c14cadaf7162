/**
 * The path of a message through a node: {@link io.iocluster.transport.RequestSource} → {@link
 * io.iocluster.pipeline.Dispatcher} → {@link io.iocluster.pipeline.CallScheduler} → {@link io.iocluster.pipeline.Worker} → {@link
 * io.iocluster.http.HttpExecutor} → {@link io.iocluster.pipeline.AnswerPublisher} → {@link io.iocluster.transport.ResponseSink} →
 * {@link io.iocluster.transport.Settlement}. {@link io.iocluster.pipeline.Pipeline} composes it.
 */
package io.iocluster.pipeline;
