/**
 * The Java client. {@link io.iocluster.client.IoClusterClient#call} puts a {@link io.iocluster.client.Request} on the
 * queue and completes with its {@link io.iocluster.message.Answer}. {@link io.iocluster.client.IoClusterClient#enqueue}
 * only puts it on the queue, and {@link io.iocluster.client.IoClusterClient#listen} passes answers to a listener.
 * {@link io.iocluster.client.EnvelopeClient} does the same with encoded envelopes. A {@link
 * io.iocluster.client.spi.ClientTransport} connects to the broker.
 *
 * <table>
 * <caption>Threads</caption>
 * <tr><th>thread</th><th>does</th><th>how others reach it</th></tr>
 * <tr><td>{@code iocluster-client-answers}</td><td>reads answers and finds their calls</td><td>a map of calls</td></tr>
 * <tr><td>{@code iocluster-client-timer}</td><td>ends calls at their deadlines</td><td>its own queue</td></tr>
 * <tr><td>{@code iocluster-client-N}, or the executor of the configuration</td><td>completes stages, calls
 * listeners</td><td>its own queue</td></tr>
 * </table>
 *
 * User code never runs on the first two threads, so that blocking user code cannot delay other calls.
 */
package io.iocluster.client;
