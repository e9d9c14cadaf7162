package io.iocluster.node;

import io.iocluster.client.spi.ClientTransport;
import io.iocluster.kafka.client.KafkaClientTransport;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

class KafkaClientIT extends ClientContract {

    private KafkaNodeFixture stage;

    @BeforeAll
    void setTheStage() {
        stage = new KafkaNodeFixture(2, Map.of());
        stage.broker.createTopic("unread", 1, Map.of());
        stage.startNode("node-1", "none").awaitReady();
    }

    @AfterAll
    void clear() {
        stage.close();
    }

    @Override
    ClientTransport transport() {
        return KafkaClientTransport.at(stage.broker.bootstrapServers())
                .requests(KafkaNodeFixture.REQUESTS)
                .answers(KafkaNodeFixture.ANSWERS);
    }

    @Override
    ClientTransport unread() {
        return KafkaClientTransport.at(stage.broker.bootstrapServers())
                .requests("unread")
                .answers(KafkaNodeFixture.ANSWERS);
    }

    @Override
    String url(String path) {
        return stage.target.url(path);
    }

    @Override
    void cut() {
        stage.broker.kill();
        stage.broker.start();
    }
}
