/**
 * IOCluster's core: the path of a message through a node. It uses no broker's client library.
 *
 * <ol>
 * <li>A {@link io.iocluster.transport.RequestSource} reads an envelope from the broker and passes it to the {@link
 *     io.iocluster.pipeline.Pipeline} as a {@link io.iocluster.transport.Delivery}.
 * <li>The pipeline decodes the {@link io.iocluster.message.RequestEnvelope} and checks it against the {@link
 *     io.iocluster.egress.EgressPolicy}.
 * <li>When the call's {@link io.iocluster.destination.Destination} admits it, a worker makes the call on its event loop
 *     with an {@link io.iocluster.http.HttpExecutor}.
 * <li>The {@link io.iocluster.transport.ResponseSink} publishes the {@link io.iocluster.message.Answer}. After the
 *     broker has confirmed it, the delivery's {@link io.iocluster.transport.Settlement} acknowledges the message.
 * </ol>
 *
 * A call with a long wait before its next attempt becomes a {@linkplain io.iocluster.transport.DelayedRetry delayed
 * retry}: the broker keeps the message until the attempt is due.
 *
 * {@code docs/architecture.md} says which thread owns what. No thread blocks on HTTP, DNS or a publish.
 */
package io.iocluster;
