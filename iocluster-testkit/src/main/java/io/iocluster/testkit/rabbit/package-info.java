/** RabbitMQ brokers and clusters for tests: child processes, or a container if Docker runs. */
package io.iocluster.testkit.rabbit;
