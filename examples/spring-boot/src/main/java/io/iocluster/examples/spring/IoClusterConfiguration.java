package io.iocluster.examples.spring;

import io.iocluster.client.ClientConfig;
import io.iocluster.client.ClientFullPolicy;
import io.iocluster.client.IoClusterClient;
import io.iocluster.client.spi.ClientTransport;
import io.iocluster.kafka.client.KafkaClientTransport;
import io.iocluster.rabbit.client.RabbitClientTransport;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.io.IOException;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Creates the client, one for the whole service. */
@Configuration(proxyBeanMethods = false)
class IoClusterConfiguration {

    /**
     * Connects when the service starts; the start fails if the broker is unreachable. Closed after the last request.
     */
    @Bean(destroyMethod = "close")
    IoClusterClient cluster(IoClusterProperties properties, MeterRegistry registry) throws IOException {
        return IoClusterClient.connect(ClientConfig.forTransport(transport(properties.broker()))
                .withName(properties.name())
                .timeout(properties.timeout())
                // Fail fast: a thread that serves a request should not block until there is capacity.
                .withMaxOutstanding(properties.maxOutstanding(), ClientFullPolicy.FAIL)
                .withEvents(new ClientMetrics(registry)));
    }

    private static ClientTransport transport(String broker) {
        return broker.startsWith("amqp") ? RabbitClientTransport.at(broker) : KafkaClientTransport.at(broker);
    }

    @Bean
    MeterBinder outstanding(IoClusterClient cluster) {
        return registry -> Gauge.builder("iocluster.client.outstanding", cluster, IoClusterClient::outstanding)
                .register(registry);
    }
}
