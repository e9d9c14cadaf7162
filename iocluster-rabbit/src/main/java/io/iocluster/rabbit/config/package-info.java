/** Settings of the RabbitMQ transport. */
package io.iocluster.rabbit.config;
