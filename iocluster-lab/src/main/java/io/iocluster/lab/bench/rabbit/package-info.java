/** The queues of the benchmark on RabbitMQ. */
package io.iocluster.lab.bench.rabbit;
