/**
 * RabbitMQ behind the transport SPI, over amqp-client. Channels, delivery tags and confirms do not leave these packages.
 *
 * <p>{@link io.iocluster.rabbit.source.RabbitSource} reads: the event loop of its connection offers each delivery to the
 * pipeline and keeps a ledger of the unacknowledged tags. Settled deliveries reach that loop through a queue, and one
 * acknowledgement covers a contiguous run of them. {@link io.iocluster.rabbit.sink.RabbitSink} writes: any thread posts, the
 * event loop of its connection publishes and matches the confirms. A supervisor thread beside each loop connects and makes
 * every call that blocks on the broker.
 *
 * <table>
 * <caption>Threads</caption>
 * <tr><th>thread</th><th>owns</th><th>reached by</th></tr>
 * <tr><td>iocluster-rabbit-source</td><td>the source's socket, tags, buffer</td><td>queue, tasks, volatile flags</td></tr>
 * <tr><td>iocluster-rabbit-source-link</td><td>its connection, channel, consumers</td><td>a wake-up</td></tr>
 * <tr><td>iocluster-rabbit-lag</td><td>a channel that polls the queue's length</td><td>no thread</td></tr>
 * <tr><td>iocluster-rabbit-sink</td><td>the sink's socket, unconfirmed messages</td><td>queue of messages to publish</td></tr>
 * <tr><td>iocluster-rabbit-sink-link</td><td>its connection and channel</td><td>a wake-up</td></tr>
 * <tr><td>iocluster-rabbit-cluster</td><td>the socket of the nodes' announcements</td><td>the next record</td></tr>
 * <tr><td>iocluster-rabbit-cluster-link</td><td>its connection, queue and channel</td><td>a wake-up</td></tr>
 * </table>
 */
package io.iocluster.rabbit;
