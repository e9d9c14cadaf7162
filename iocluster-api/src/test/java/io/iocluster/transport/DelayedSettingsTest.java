package io.iocluster.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class DelayedSettingsTest {

    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration MINUTE = Duration.ofMinutes(1);

    @Test
    void hasNoDelaysUnlessItIsEnabled() {
        assertThat(DelayedSettings.DEFAULTS.delays()).isEmpty();
        assertThat(new DelayedSettings(true, "", DelayedSettings.DEFAULTS.tiers()).delays())
                .hasSize(5);
    }

    @Test
    void sortsTheTiersAndNamesEach() {
        DelayedSettings settings = new DelayedSettings(true, "", List.of(MINUTE, SECOND));

        assertThat(settings.delays()).containsExactly(SECOND, MINUTE);
        assertThat(DelayedSettings.name(settings.prefixOr("orders"), MINUTE)).isEqualTo("orders.delayed-1m");
        assertThat(new DelayedSettings(true, "later", List.of(SECOND)).prefixOr("orders"))
                .isEqualTo("later");
    }

    @Test
    void refusesTiersThatAreNoneOrTwiceOrOutOfRange() {
        assertThatThrownBy(() -> new DelayedSettings(true, "", List.of())).hasMessageContaining("tiers must name");
        assertThatThrownBy(() -> new DelayedSettings(true, "", List.of(MINUTE, Duration.ofSeconds(60))))
                .hasMessageContaining("tiers must not name a wait twice");
        assertThatThrownBy(() -> new DelayedSettings(true, "", List.of(Duration.ofMillis(99), Duration.ofDays(2))))
                .hasMessageContaining("tiers[0] must be from 100ms to 1d: 99ms")
                .hasMessageContaining("tiers[1] must be from 100ms to 1d: 2d");
    }
}
