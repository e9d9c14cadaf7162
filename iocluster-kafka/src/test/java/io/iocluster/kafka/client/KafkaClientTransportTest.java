package io.iocluster.kafka.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.iocluster.settings.InvalidSettingsException;
import java.util.Map;
import org.junit.jupiter.api.Test;

class KafkaClientTransportTest {

    private final KafkaClientTransport defaults = KafkaClientTransport.at("broker-1:9092,broker-2:9092");

    @Test
    void usesTheDefaultTopicsOfNodesAndNamesNoReplyTo() {
        assertThat(defaults)
                .hasToString(
                        "KafkaClientTransport[broker-1:9092,broker-2:9092, iocluster.requests, iocluster.answers]");
        assertThat(defaults.defaultReplyTo()).isNull();
    }

    @Test
    void namesAConfiguredAnswerTopicInEachRequest() {
        KafkaClientTransport own = defaults.answers("launches.answers").requests("launches.requests");

        assertThat(own.defaultReplyTo()).isEqualTo("launches.answers");
        assertThat(own.toString()).endsWith("launches.requests, launches.answers]");
    }

    @Test
    void refusesSettingsThatANodeRefuses() {
        assertThatThrownBy(() -> KafkaClientTransport.at("nowhere")).isInstanceOf(InvalidSettingsException.class);
        assertThatThrownBy(() -> defaults.requests("no topic")).isInstanceOf(InvalidSettingsException.class);
        assertThatThrownBy(() -> defaults.answers("iocluster.requests")).isInstanceOf(InvalidSettingsException.class);
        assertThatThrownBy(() -> defaults.properties(Map.of("acks", "0")))
                .isInstanceOf(InvalidSettingsException.class)
                .hasMessageContaining("an answer is confirmed when all in-sync replicas");
    }

    @Test
    void showsNoSecret() {
        assertThat(defaults.properties(Map.of("sasl.jaas.config", "hush")).toString())
                .doesNotContain("hush");
    }
}
