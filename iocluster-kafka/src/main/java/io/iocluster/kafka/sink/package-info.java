/** Publishes answers, dead letters and delayed requests to Kafka. */
package io.iocluster.kafka.sink;
