/**
 * Kafka implementation of the transport SPI, based on kafka-clients. Consumer groups, offsets and partitions are not
 * visible outside.
 *
 * <p>{@link io.iocluster.kafka.source.KafkaSource} consumes requests. Its poll thread owns the consumer and an offset
 * ledger for each partition, because calls finish out of order. Settled deliveries reach that thread through a mailbox.
 * It commits the watermark, below which every record is settled, with a map of the settled records above it.
 * {@link io.iocluster.kafka.sink.KafkaSink} publishes: event loops pass records to the producer directly or, if they
 * have to wait, to one publisher thread. Delayed retries wait in delay topics, and
 * {@link io.iocluster.kafka.delay.DelayedRetryForwarder} moves them to the topic of due retries when they are due.
 *
 * <table>
 * <caption>Threads</caption>
 * <tr><th>thread</th><th>owns</th><th>how other threads reach it</th></tr>
 * <tr><td>iocluster-kafka-poll</td><td>consumer, ledgers, buffers, key lanes</td><td>mailbox, volatile flags</td></tr>
 * <tr><td>iocluster-kafka-ends</td><td>the admin client that queries end offsets</td><td>tasks</td></tr>
 * <tr><td>iocluster-kafka-sink</td><td>records that wait for the producer</td><td>queue of pending sends</td></tr>
 * <tr><td>iocluster-kafka-delayed</td><td>the consumer of delayed retries</td><td>a volatile flag</td></tr>
 * <tr><td>iocluster-kafka-cluster</td><td>the clients of the nodes' announcements</td><td>the next record</td></tr>
 * </table>
 */
package io.iocluster.kafka;
