/** RabbitMQ for the Java client and the command line: publishes requests and consumes answers. */
package io.iocluster.rabbit.client;
