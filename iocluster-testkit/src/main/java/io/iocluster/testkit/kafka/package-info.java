/** Kafka brokers for tests: as a process, or in a container where Docker runs. */
package io.iocluster.testkit.kafka;
