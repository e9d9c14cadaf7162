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
 * <table>
 * <caption>Threads</caption>
 * <tr><th>thread</th><th>owns</th><th>how other threads reach it</th></tr>
 * <tr><td>the source's thread</td><td>the broker's consumer, its ledger, the dispatcher</td><td>a mailbox of
 *     settlements</td></tr>
 * <tr><td>{@code iocluster-worker-N}</td><td>one event loop with its connections and calls</td><td>the loop's task
 *     queue</td></tr>
 * <tr><td>the sink's thread</td><td>the broker's producer</td><td>a mailbox of messages</td></tr>
 * <tr><td>{@code iocluster-supervisor}</td><td>the list of workers; it also starts queued calls whose wait is
 *     over</td><td>a lock that no call waits for</td></tr>
 * <tr><td>{@code iocluster-config}</td><td>the configuration as last read from the file and from Consul</td><td>no other
 *     thread does; it applies settings while no call starts</td></tr>
 * <tr><td>{@code iocluster-consul}, {@code iocluster-consul-service}</td><td>the query for the key in Consul, and the
 *     service registration</td><td>no other thread does; they wait for the agent</td></tr>
 * <tr><td>{@code iocluster-tuning}</td><td>the advisor's last observation</td><td>no other thread does; it resizes the
 *     pipeline like the admin API</td></tr>
 * </table>
 *
 * A {@link io.iocluster.destination.Destination} belongs to no thread: its own lock guards it, for a few dozen
 * instructions. No thread blocks on HTTP, DNS or a publish.
 */
package io.iocluster;
