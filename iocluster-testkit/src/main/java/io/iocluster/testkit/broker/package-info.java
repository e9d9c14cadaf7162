/**
 * Shared parts of the brokers for tests, the demo and the bench. {@link io.iocluster.testkit.kafka.KafkaBroker#launch}
 * starts Kafka from the class path, {@link io.iocluster.testkit.rabbit.RabbitBroker#launch} starts the installed
 * RabbitMQ, and {@link io.iocluster.testkit.rabbit.RabbitCluster#launch} starts several RabbitMQ nodes as a cluster. If
 * Docker runs, Kafka and RabbitMQ can also run in containers.
 */
package io.iocluster.testkit.broker;
