package io.iocluster.testkit.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class EditTest {

    @Test
    void replacesOneTextByAnother() {
        assertThat(Edit.KEEP_ALIVE.apply("http: {keep-alive: 20s, timeout: 1s}"))
                .isEqualTo("http: {keep-alive: 3s, timeout: 1s}");
    }

    @Test
    void failsIfThereIsNothingToEdit() {
        assertThatThrownBy(() -> Edit.KEEP_ALIVE.apply("http: {}")).isInstanceOf(IllegalArgumentException.class);
    }
}
