/**
 * Support for tests, the demo and the bench: real brokers ({@link io.iocluster.testkit.kafka.KafkaBroker}, {@link
 * io.iocluster.testkit.rabbit.RabbitBroker}), a target that fails on request ({@link
 * io.iocluster.testkit.target.TargetServer}), the contract suite for transports ({@link
 * io.iocluster.testkit.contract.TransportContract}) and an in-memory transport ({@link
 * io.iocluster.testkit.memory.MemoryTransport}).
 */
package io.iocluster.testkit;
