package io.iocluster.node.client;

import io.iocluster.client.spi.ClientTransport;
import io.iocluster.kafka.client.KafkaClientTransport;
import io.iocluster.node.KafkaNodeFixture;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

class KafkaClientIT extends ClientContract {

    private KafkaNodeFixture fixture;

    @BeforeAll
    void startFixture() {
        fixture = new KafkaNodeFixture(2, Map.of());
        fixture.broker.createTopic("unread", 1, Map.of());
        fixture.startInProcess("node-1", "none").awaitReady();
    }

    @AfterAll
    void clear() {
        fixture.close();
    }

    @Override
    ClientTransport transport() {
        return KafkaClientTransport.at(fixture.broker.bootstrapServers())
                .requests(KafkaNodeFixture.REQUESTS)
                .answers(KafkaNodeFixture.ANSWERS);
    }

    @Override
    ClientTransport unread() {
        return KafkaClientTransport.at(fixture.broker.bootstrapServers())
                .requests("unread")
                .answers(KafkaNodeFixture.ANSWERS);
    }

    @Override
    String url(String path) {
        return fixture.target.url(path);
    }

    @Override
    void cut() {
        fixture.broker.kill();
        fixture.broker.start();
    }
}
