package io.iocluster.hedge;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.iocluster.settings.InvalidSettingsException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class HedgeSettingsTest {

    private static final HedgeDelay P95 = HedgeDelay.parse("p95");
    private static final Duration MIN = Duration.ofMillis(10);

    @Test
    void rejectsABudgetOutsideOfItsRange() {
        assertThatThrownBy(() -> new HedgeSettings(P95, 0, MIN))
                .isInstanceOf(InvalidSettingsException.class)
                .hasMessageContaining("budget-percent");
        assertThatThrownBy(() -> new HedgeSettings(P95, 101, MIN))
                .isInstanceOf(InvalidSettingsException.class)
                .hasMessageContaining("budget-percent");
    }

    @Test
    void rejectsAMinimumDelayThatIsNotPositiveOrTooLong() {
        assertThatThrownBy(() -> new HedgeSettings(P95, 5, Duration.ZERO))
                .isInstanceOf(InvalidSettingsException.class)
                .hasMessageContaining("min-delay");
        assertThatThrownBy(() -> new HedgeSettings(P95, 5, Duration.ofDays(1)))
                .isInstanceOf(InvalidSettingsException.class)
                .hasMessageContaining("min-delay");
    }

    @Test
    void rejectsAFixedDelayThatIsTooLong() {
        assertThatThrownBy(() -> new HedgeSettings(HedgeDelay.parse("1d"), 5, MIN))
                .isInstanceOf(InvalidSettingsException.class)
                .hasMessageContaining("after");
    }
}
