package io.iocluster.node.schema;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.kafka.config.KafkaSettings;
import io.iocluster.rabbit.config.RabbitSettings;
import io.iocluster.transport.DeadLetterReason;
import io.iocluster.transport.TruncatableMessage;
import java.nio.file.Files;
import java.time.Instant;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** Tests that the AsyncAPI document matches the defaults of a node. */
class AsyncApiTest {

    private final JsonNode api = new YAMLMapper().readTree(Schemas.FOLDER.resolve("asyncapi.yaml"));

    @Test
    void channelsHaveTheDefaultNames() {
        KafkaSettings kafka = KafkaSettings.DEFAULTS;
        RabbitSettings rabbit = RabbitSettings.DEFAULTS;

        assertThat(kafka.requests().topics()).containsExactly(address("requests"));
        assertThat(kafka.answers().topic()).isEqualTo(address("answers"));
        assertThat(kafka.deadLetters().topic()).isEqualTo(address("deadLetters"));
        assertThat(rabbit.requests().queue()).isEqualTo(queue("requests"));
        assertThat(rabbit.answers().routingKey()).isEqualTo(queue("answers"));
        assertThat(rabbit.deadLetters().queue()).isEqualTo(queue("deadLetters"));
    }

    @Test
    void serversHaveTheDefaultAddresses() {
        assertThat(api.at("/servers/kafka/host").asString()).isEqualTo(KafkaSettings.DEFAULTS.bootstrapServers());
        assertThat(RabbitSettings.DEFAULTS.uris().get(0).address())
                .isEqualTo(api.at("/servers/rabbit/host").asString());
    }

    @Test
    void deadLettersDocumentAllHeaders() {
        List<String> written = List.copyOf(new TreeSet<>(new DeadLetterReason("code", "message")
                .headers("t/0/1", "node-1", Instant.EPOCH)
                .keySet()));

        TreeSet<String> all = new TreeSet<>(written);
        all.addAll(TruncatableMessage.truncationHeaders(TruncatableMessage.WITHOUT_HEADERS, new byte[0])
                .keySet());
        assertThat(names(api.at("/components/messages/deadLetter/headers/properties")))
                .isEqualTo(List.copyOf(all));
        assertThat(new TreeSet<>(api.at("/components/messages/deadLetter/headers/required")
                        .valueStream()
                        .map(JsonNode::asString)
                        .toList()))
                .containsExactlyElementsOf(written);
    }

    @Test
    void everyReferenceResolves() {
        List<String> references =
                api.findValuesAsString("$ref").stream().distinct().toList();

        assertThat(references).isNotEmpty().allSatisfy(reference -> {
            if (reference.startsWith("#")) {
                assertThat(api.at(reference.substring(1)).isMissingNode())
                        .as(reference)
                        .isFalse();
            } else {
                assertThat(Files.exists(Schemas.FOLDER.resolve(reference)))
                        .as(reference)
                        .isTrue();
            }
        });
    }

    @Test
    void isValidForItsVersion() {
        assertThat(api.path("asyncapi").asString()).isEqualTo("3.0.0");
        assertThat(names(api)).contains("info", "channels", "operations", "components");
        assertThat(Stream.of("makeCall", "publishAnswer", "publishDeadLetter")
                        .map(operation ->
                                api.at("/operations/" + operation + "/action").asString()))
                .containsExactly("receive", "send", "send");
    }

    private String address(String channel) {
        return api.at("/channels/" + channel + "/address").asString();
    }

    private String queue(String channel) {
        String name =
                api.at("/channels/" + channel + "/bindings/amqp/queue/name").asString();
        assertThat(name).isEqualTo(address(channel));
        return name;
    }

    private static List<String> names(JsonNode object) {
        return List.copyOf(new TreeSet<>(object.propertyNames()));
    }
}
