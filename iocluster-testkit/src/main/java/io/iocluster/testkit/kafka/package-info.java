/** Kafka brokers for tests: a child process, or a container if Docker runs. */
package io.iocluster.testkit.kafka;
