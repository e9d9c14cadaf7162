package io.iocluster.rabbit.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class RabbitClientTransportTest {

    private final RabbitClientTransport defaults = RabbitClientTransport.at("amqp://user:hush@broker-1/");

    @Test
    void usesTheDefaultQueuesOfNodesAndNamesNoReplyTo() {
        assertThat(defaults.toString()).endsWith("iocluster.requests, iocluster.answers]");
        assertThat(defaults.defaultReplyTo()).isNull();
    }

    @Test
    void namesItsOwnAnswerQueueAsReplyTo() {
        RabbitClientTransport own = defaults.answers("launches.answers").requests("launches.requests");

        assertThat(own.defaultReplyTo()).isEqualTo("launches.answers");
        assertThat(own.toString()).endsWith("launches.requests, launches.answers]");
    }

    @Test
    void refusesInvalidSettings() {
        assertThatThrownBy(() -> RabbitClientTransport.at()).hasMessageContaining("at least one node");
        assertThatThrownBy(() -> RabbitClientTransport.at("http://broker-1/")).hasMessageContaining("amqp");
        assertThatThrownBy(() -> defaults.requests(" ")).hasMessageContaining("queue");
    }

    @Test
    void hidesPasswords() {
        assertThat(defaults.toString()).contains("broker-1").doesNotContain("hush");
    }
}
