/**
 * What a producer's program calls the cluster with. {@link io.iocluster.client.IoClusterClient#call} puts a {@link
 * io.iocluster.client.Request} on the queue and completes with its {@link io.iocluster.message.Answer}; {@link
 * io.iocluster.client.IoClusterClient#enqueue} only puts it there; {@link io.iocluster.client.IoClusterClient#listen} hands over answers one by
 * one. {@link io.iocluster.client.EnvelopeClient} is what sends and waits, whatever the queue; a {@link
 * io.iocluster.client.spi.ClientTransport} is the queue.
 *
 * <table>
 * <caption>Threads</caption>
 * <tr><th>thread</th><th>does</th><th>how others reach it</th></tr>
 * <tr><td>{@code iocluster-client-answers}</td><td>reads answers and finds whose they are</td><td>a map of calls</td></tr>
 * <tr><td>{@code iocluster-client-timer}</td><td>ends calls at their deadlines</td><td>its own queue</td></tr>
 * <tr><td>{@code iocluster-client-N}, or the executor of the configuration</td><td>completes stages, calls listeners</td><td>its
 * own queue</td></tr>
 * </table>
 *
 * Code of the program never runs on the first two, so that one that blocks there holds up nobody's deadline.
 */
package io.iocluster.client;
