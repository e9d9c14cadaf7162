package io.iocluster.node.door;

import io.iocluster.client.spi.ClientTransport;
import io.iocluster.kafka.client.KafkaClientTransport;
import io.iocluster.kafka.config.KafkaSettings;
import io.iocluster.node.config.NodeSettings;
import io.iocluster.rabbit.client.RabbitClientTransport;
import io.iocluster.rabbit.config.RabbitSettings;

/** Creates the client of a door from the settings of the nodes that it uses. Stateless. */
final class DoorClients {

    private DoorClients() {}

    static ClientTransport transport(NodeSettings settings) {
        return switch (settings.transport()) {
            case KAFKA -> kafka(settings.kafka());
            case RABBIT -> rabbit(settings.rabbit());
        };
    }

    private static ClientTransport kafka(KafkaSettings kafka) {
        return KafkaClientTransport.at(kafka.bootstrapServers())
                .requests(kafka.requests().topics().get(0))
                .answers(kafka.answers().topic())
                .properties(kafka.properties());
    }

    private static ClientTransport rabbit(RabbitSettings rabbit) {
        return RabbitClientTransport.at(rabbit.uris())
                .requests(rabbit.requests().queue())
                .tls(rabbit.tls());
    }
}
