package io.iocluster.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class DelayedRetrySettingsTest {

    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration MINUTE = Duration.ofMinutes(1);

    @Test
    void hasNoTiersIfDisabled() {
        assertThat(DelayedRetrySettings.DEFAULTS.enabledTiers()).isEmpty();
        assertThat(new DelayedRetrySettings(true, "", DelayedRetrySettings.DEFAULTS.tiers()).enabledTiers())
                .hasSize(5);
    }

    @Test
    void sortsTheTiersAndNamesEach() {
        DelayedRetrySettings settings = new DelayedRetrySettings(true, "", List.of(MINUTE, SECOND));

        assertThat(settings.enabledTiers()).containsExactly(SECOND, MINUTE);
        assertThat(DelayedRetrySettings.tierName(settings.prefixOrDefault("orders"), MINUTE))
                .isEqualTo("orders.delayed-1m");
        assertThat(new DelayedRetrySettings(true, "later", List.of(SECOND)).prefixOrDefault("orders"))
                .isEqualTo("later");
    }

    @Test
    void refusesEmptyDuplicateAndOutOfRangeTiers() {
        assertThatThrownBy(() -> new DelayedRetrySettings(true, "", List.of()))
                .hasMessageContaining("tiers must have at least one delay");
        assertThatThrownBy(() -> new DelayedRetrySettings(true, "", List.of(MINUTE, Duration.ofSeconds(60))))
                .hasMessageContaining("tiers must not have the same delay twice");
        assertThatThrownBy(() -> new DelayedRetrySettings(true, "", List.of(Duration.ofMillis(99), Duration.ofDays(2))))
                .hasMessageContaining("tiers[0] must be from 100ms to 1d: 99ms")
                .hasMessageContaining("tiers[1] must be from 100ms to 1d: 2d");
    }
}
