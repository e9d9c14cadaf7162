/** Settings of the Kafka transport, the properties of the Kafka clients, and the topics that a node needs. */
package io.iocluster.kafka.config;
