package io.iocluster.node.client;

import io.iocluster.client.spi.ClientTransport;
import io.iocluster.node.RabbitNodeFixture;
import io.iocluster.rabbit.client.RabbitClientTransport;
import io.iocluster.testkit.junit.SharedBrokers;
import io.iocluster.testkit.rabbit.RabbitBroker;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

class RabbitClientIT extends ClientContract {

    private RabbitBroker broker;
    private RabbitNodeFixture nodes;

    @BeforeAll
    void startFixture() {
        broker = SharedBrokers.emptyRabbit();
        nodes = new RabbitNodeFixture(broker);
        broker.declareQueue("unread", Map.of());
        nodes.startInProcess("node-1").awaitReady();
    }

    @AfterAll
    void clear() {
        nodes.close();
    }

    @Override
    ClientTransport transport() {
        return RabbitClientTransport.at(broker.uri()).requests(nodes.requests).answers(nodes.answers);
    }

    @Override
    ClientTransport unread() {
        return RabbitClientTransport.at(broker.uri()).requests("unread").answers(nodes.answers);
    }

    @Override
    String url(String path) {
        return nodes.target.url(path);
    }

    @Override
    void cut() {
        broker.cutConnections();
    }
}
