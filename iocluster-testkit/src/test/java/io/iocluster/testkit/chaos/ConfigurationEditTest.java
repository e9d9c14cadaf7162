package io.iocluster.testkit.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class ConfigurationEditTest {

    @Test
    void replacesText() {
        assertThat(ConfigurationEdit.IDLE_TIMEOUT.apply("http: {idle-timeout: 20s, timeout: 1s}"))
                .isEqualTo("http: {idle-timeout: 3s, timeout: 1s}");
    }

    @Test
    void failsIfTheTextIsMissing() {
        assertThatThrownBy(() -> ConfigurationEdit.IDLE_TIMEOUT.apply("http: {}"))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
