/** The bench's queues on Kafka. */
package io.iocluster.bench.kafka;
