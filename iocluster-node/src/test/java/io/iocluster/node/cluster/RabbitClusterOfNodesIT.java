package io.iocluster.node.cluster;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import io.iocluster.node.NodeProcess;
import io.iocluster.node.RabbitNodeFixture;
import io.iocluster.node.RunningNode;
import io.iocluster.testkit.junit.SharedBrokers;
import io.iocluster.testkit.rabbit.RabbitBroker;
import java.util.List;
import org.junit.jupiter.api.AfterAll;

class RabbitClusterOfNodesIT extends ClusterOfNodes {

    private final RabbitBroker broker = SharedBrokers.emptyRabbit();
    private final RabbitNodeFixture fixture = new RabbitNodeFixture(broker);

    @AfterAll
    void close() {
        fixture.close();
    }

    @Override
    RunningNode startInProcess(String id) {
        return fixture.startInProcess(id);
    }

    @Override
    NodeProcess start(String id) {
        return fixture.start(id);
    }

    @Override
    void publish(List<byte[]> records) {
        ConnectionFactory factory = new ConnectionFactory();
        try {
            factory.setUri(broker.uri());
            try (Connection connection = factory.newConnection();
                    Channel channel = connection.createChannel()) {
                channel.confirmSelect();
                for (byte[] record : records) {
                    channel.basicPublish(fixture.requests + ".nodes", "", null, record);
                }
                channel.waitForConfirmsOrDie(30_000);
            }
        } catch (Exception failed) {
            throw new IllegalStateException(failed);
        }
    }
}
