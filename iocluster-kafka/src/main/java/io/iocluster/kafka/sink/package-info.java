/** Publishes answers, dead letters and delayed retries to Kafka. */
package io.iocluster.kafka.sink;
