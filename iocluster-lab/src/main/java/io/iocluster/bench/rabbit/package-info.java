/** The bench's queues on RabbitMQ. */
package io.iocluster.bench.rabbit;
