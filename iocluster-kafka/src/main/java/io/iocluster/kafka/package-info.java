/**
 * Kafka behind the transport SPI, over kafka-clients; what a consumer group, an offset or a lag is ends here.
 *
 * <p>{@link io.iocluster.kafka.source.KafkaSource} reads: its poll thread alone touches the consumer and, for each partition, a
 * ledger of offsets that may finish out of order. Settled deliveries reach that thread through a mailbox; the watermark
 * below which all is done is committed, with a map of what is done above it. {@link io.iocluster.kafka.sink.KafkaSink} writes:
 * event loops post, one publisher thread gives the messages to the producer. What is put off waits in topics of its own, which
 * {@link io.iocluster.kafka.delay.DelayedRetryForwarder} empties when it is due.
 *
 * <table>
 * <caption>Threads</caption>
 * <tr><th>thread</th><th>owns</th><th>reached by</th></tr>
 * <tr><td>iocluster-kafka-poll</td><td>consumer, ledgers, buffers, key lanes</td><td>mailbox, volatile flags</td></tr>
 * <tr><td>iocluster-kafka-ends</td><td>the admin client that asks for the ends of the logs</td><td>nobody</td></tr>
 * <tr><td>iocluster-kafka-sink</td><td>calls to the producer</td><td>queue of publications</td></tr>
 * <tr><td>iocluster-kafka-delayed</td><td>the consumer of what was put off</td><td>a volatile flag</td></tr>
 * </table>
 */
package io.iocluster.kafka;
