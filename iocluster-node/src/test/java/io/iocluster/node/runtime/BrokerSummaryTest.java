package io.iocluster.node.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.node.config.NodeSettings;
import io.iocluster.node.config.binding.SettingsLoader;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

class BrokerSummaryTest {

    @Test
    void namesTheTopicsAndTheGroup() {
        NodeSettings settings = settings(
                "kafka: {bootstrap-servers: \"a:9092,b:9092\", requests: {topics: [x, y], group: g}, answers: {topic: z}}");

        assertThat(settings.brokerAddresses()).isEqualTo("a:9092,b:9092");
        assertThat(BrokerSummary.topology(settings))
                .isEqualTo("topics=x,y group=g answers=z deadLetters=iocluster.dead-letters");
    }

    @Test
    void saysThatTheGroupIsAShareGroup() {
        NodeSettings settings = settings("kafka: {requests: {group: g, mode: share}}");

        assertThat(BrokerSummary.topology(settings)).contains(" group=g mode=share ");
    }

    @Test
    void namesTheQueuesButNoPassword() {
        NodeSettings settings = settings("""
                transport: rabbit
                rabbit:
                  uris: ["amqp://user:s3cr3t@a:5672/", "amqp://user:s3cr3t@b:5672/"]
                  requests: {queue: in}
                  answers: {exchange: e, routing-key: k}
                """);

        assertThat(settings.brokerAddresses()).isEqualTo("a:5672,b:5672");
        assertThat(BrokerSummary.topology(settings))
                .isEqualTo("queue=in answers=e/k deadLetters=iocluster.dead-letters");
    }

    private static NodeSettings settings(String yaml) {
        return new SettingsLoader<>(NodeSettings.class, Map.of())
                .load(yaml, Path.of("."))
                .settings();
    }
}
