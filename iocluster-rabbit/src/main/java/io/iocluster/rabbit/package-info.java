/**
 * RabbitMQ behind the transport SPI, over amqp-client; what a channel, a delivery tag or a confirm is ends here.
 *
 * <p>{@link io.iocluster.rabbit.source.RabbitSource} reads: the loop of its connection hands over what the channel delivers, and keeps a
 * ledger of the tags that the broker waits for. Settled deliveries reach that loop through a mailbox, and one acknowledgement
 * speaks for all that are done without a gap. {@link io.iocluster.rabbit.sink.RabbitSink} writes: event loops post, the loop of its
 * connection publishes and matches the confirmations. A link beside each loop connects, and does all that waits for the broker.
 *
 * <table>
 * <caption>Threads</caption>
 * <tr><th>thread</th><th>owns</th><th>reached by</th></tr>
 * <tr><td>iocluster-rabbit-source</td><td>the source's socket, tags, buffer</td><td>mailbox, tasks, volatile flags</td></tr>
 * <tr><td>iocluster-rabbit-source-link</td><td>its connection, channel, consumers</td><td>a nudge</td></tr>
 * <tr><td>iocluster-rabbit-lag</td><td>a channel that asks for the queue's length</td><td>nobody</td></tr>
 * <tr><td>iocluster-rabbit-sink</td><td>the sink's socket, unconfirmed messages</td><td>queue of publications</td></tr>
 * <tr><td>iocluster-rabbit-sink-link</td><td>its connection and channel</td><td>a nudge</td></tr>
 * </table>
 */
package io.iocluster.rabbit;
