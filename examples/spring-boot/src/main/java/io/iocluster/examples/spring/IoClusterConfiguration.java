package io.iocluster.examples.spring;

import io.iocluster.client.ClientConfig;
import io.iocluster.client.ClientTransport;
import io.iocluster.client.IoCluster;
import io.iocluster.client.WhenFull;
import io.iocluster.kafka.KafkaClientTransport;
import io.iocluster.rabbit.RabbitClientTransport;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.io.IOException;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** One client for the whole service. */
@Configuration(proxyBeanMethods = false)
class IoClusterConfiguration {

    /** Connects when the service starts, which fails where the broker is away; closed when no request needs it any more. */
    @Bean(destroyMethod = "close")
    IoCluster cluster(IoClusterProperties properties, MeterRegistry registry) throws IOException {
        return IoCluster.connect(ClientConfig.over(transport(properties.broker()))
                .named(properties.name())
                .timeout(properties.timeout())
                // A thread that serves a request should not wait for a place: its caller is told at once.
                .outstanding(properties.maxOutstanding(), WhenFull.FAIL)
                .telling(new ClientMetrics(registry)));
    }

    private static ClientTransport transport(String broker) {
        return broker.startsWith("amqp") ? RabbitClientTransport.at(broker) : KafkaClientTransport.at(broker);
    }

    @Bean
    MeterBinder outstanding(IoCluster cluster) {
        return registry -> Gauge.builder("iocluster.client.outstanding", cluster, IoCluster::outstanding)
                .register(registry);
    }
}
