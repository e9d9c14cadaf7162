/**
 * IOCluster's core. A {@link io.iocluster.transport.RequestSource} reads envelopes from a broker and hands over {@link
 * io.iocluster.transport.Delivery deliveries}; the {@link io.iocluster.pipeline.Pipeline} decodes each into a {@link
 * io.iocluster.message.RequestEnvelope}, asks the {@link io.iocluster.egress.EgressPolicy}, and makes the call on one of
 * its event loops by an {@link io.iocluster.http.HttpExecutor}, when its turn at its {@link
 * io.iocluster.destination.Destination} has come; the {@link io.iocluster.message.Answer} goes out by the {@link
 * io.iocluster.transport.ResponseSink}, and when the broker has confirmed it, the delivery's {@link
 * io.iocluster.transport.Settlement} lets the broker's position move. A call that has to wait for long is {@linkplain
 * io.iocluster.transport.DelayedRetry put off}: the broker keeps its message meanwhile. Whoever has calls made does so by an {@link
 * io.iocluster.client.IoClusterClient}.
 *
 * <table>
 * <caption>Threads</caption>
 * <tr><th>thread</th><th>owns</th><th>how others reach it</th></tr>
 * <tr><td>the source's</td><td>the broker's consumer, its ledger, the dispatcher</td><td>a mailbox of settlements</td></tr>
 * <tr><td>{@code iocluster-worker-N}</td><td>one event loop: its connections, its calls</td><td>the loop's task queue</td></tr>
 * <tr><td>the sink's</td><td>the broker's producer</td><td>a mailbox of messages</td></tr>
 * <tr><td>{@code iocluster-supervisor}</td><td>the list of workers; it also begins calls whose wait is over</td><td>a lock that no call ever waits for</td></tr>
 * <tr><td>{@code iocluster-config}</td><td>what the configuration file, and Consul, held when they were last read</td><td>nobody; it changes settings while nothing begins</td></tr>
 * <tr><td>{@code iocluster-consul}, {@code iocluster-consul-service}</td><td>the query for the key in Consul, the registration there</td><td>nobody; they wait for the agent</td></tr>
 * <tr><td>{@code iocluster-tuning}</td><td>what the advisor saw last</td><td>nobody; it resizes as the admin API does</td></tr>
 * <tr><td>{@code iocluster-timer}</td><td>the timeouts of attempts</td><td>the wheel's own queue</td></tr>
 * </table>
 *
 * A {@link io.iocluster.destination.Destination} belongs to no thread: a lock of its own guards it, for a few dozen instructions.
 * No thread waits for HTTP, for DNS or for a publish.
 */
package io.iocluster;
