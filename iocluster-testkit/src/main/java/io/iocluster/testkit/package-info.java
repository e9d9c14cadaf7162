/**
 * What tests, the demo and the bench stand on: real brokers ({@link io.iocluster.testkit.kafka.KafkaBroker}, {@link
 * io.iocluster.testkit.rabbit.RabbitBroker}), a target that misbehaves on request ({@link
 * io.iocluster.testkit.target.TargetServer}), the suite that every transport passes ({@link
 * io.iocluster.testkit.contract.TransportContract}) and a transport in memory ({@link
 * io.iocluster.testkit.memory.MemoryTransport}).
 */
package io.iocluster.testkit;
