package io.iocluster.examples.spring;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The connection to the cluster.
 *
 * @param broker {@code host:port} of Kafka, or an {@code amqp://} URI of RabbitMQ
 * @param name the client's name in the broker's lists
 * @param timeout for calls without a deadline
 * @param maxOutstanding maximum outstanding calls; further calls fail at once
 */
@ConfigurationProperties("iocluster")
record IoClusterProperties(
        String broker,
        String name,
        @DefaultValue("5s") Duration timeout,
        @DefaultValue("1000") int maxOutstanding) {}
