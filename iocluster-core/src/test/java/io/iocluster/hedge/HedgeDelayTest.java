package io.iocluster.hedge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HedgeDelayTest {

    @ParameterizedTest
    @ValueSource(strings = {"off", "p50", "p95", "p99", "200ms", "2s"})
    void readsWhatItWrites(String text) {
        assertThat(HedgeDelay.parse(text)).hasToString(text);
    }

    @Test
    void readsAPercentile() {
        HedgeDelay delay = HedgeDelay.parse(" p95 ");

        assertThat(delay.isPercentile()).isTrue();
        assertThat(delay.isOff()).isFalse();
        assertThat(delay.percentile()).isEqualTo(95);
    }

    @Test
    void readsADuration() {
        HedgeDelay delay = HedgeDelay.parse("200ms");

        assertThat(delay.isPercentile()).isFalse();
        assertThat(delay.isOff()).isFalse();
        assertThat(delay.fixed()).isEqualTo(Duration.ofMillis(200));
    }

    @Test
    void readsOffAsYamlMayPassIt() {
        assertThat(HedgeDelay.parse("off").isOff()).isTrue();
        assertThat(HedgeDelay.parse("false").isOff()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "p", "p49", "p100", "p9.5", "95", "0s", "-1s", "true", "on"})
    void rejectsEverythingElse(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> HedgeDelay.parse(text))
                .withMessageContaining("not a delay such as off, 200ms, or a percentile from p50 to p99: " + text);
    }
}
