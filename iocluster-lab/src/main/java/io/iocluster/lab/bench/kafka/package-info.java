/** The queues of the benchmark on Kafka. */
package io.iocluster.lab.bench.kafka;
