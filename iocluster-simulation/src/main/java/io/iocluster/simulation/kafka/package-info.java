/**
 * A Kafka broker in the simulation, behind the interfaces of the Kafka library. It follows the documented behaviour of brokers and clients
 * of version 4.x, as far as a node can see it.
 *
 * <p>Modelled: topics that are created, deleted, extended and full; offsets with gaps of compaction and of transactions; retention; open
 * transactions; too large records; leader changes; a restart; slow, lost and repeated requests and acknowledgements. Groups with the classic
 * protocol (eager and cooperative) and the consumer protocol (KIP-848), with session and poll timeouts and fenced commits. Producers with
 * metadata, linger, delivery timeout, a bounded buffer, order of each partition and idempotence. Consumers with metadata that expires, reset
 * policies, paused partitions, isolation levels and bounded fetches.
 *
 * <p>{@link io.iocluster.simulation.kafka.SimulatedKafka} runs nodes with the real Kafka transport on it, and tells the oracle what the
 * broker has stored, delivered and committed. Add a fault to {@code KafkaDisturbances}.
 *
 * <p>Not modelled: bytes on the wire, compression, replicas and their election, authorization, quotas, transactions of producers as an API,
 * static membership, share groups, group configuration, patterns of topics.
 */
package io.iocluster.simulation.kafka;
