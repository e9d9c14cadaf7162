/** RabbitMQ brokers and clusters for tests: as processes, or in a container where Docker runs. */
package io.iocluster.testkit.rabbit;
