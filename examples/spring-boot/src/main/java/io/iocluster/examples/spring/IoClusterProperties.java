package io.iocluster.examples.spring;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How this service meets the cluster.
 *
 * @param broker {@code host:port} of a Kafka, or an {@code amqp://} URI of a RabbitMQ
 * @param name shows in the broker's lists
 * @param timeout of calls that have no deadline of their own
 * @param maxOutstanding calls beyond these are refused at once
 */
@ConfigurationProperties("iocluster")
record IoClusterProperties(
        String broker,
        String name,
        @DefaultValue("5s") Duration timeout,
        @DefaultValue("1000") int maxOutstanding) {}
