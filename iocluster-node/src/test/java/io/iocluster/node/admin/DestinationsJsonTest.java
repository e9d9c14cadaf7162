package io.iocluster.node.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.destination.AttemptTotals;
import io.iocluster.destination.DestinationStatus;
import io.iocluster.destination.limit.BreakerState;
import io.iocluster.destination.operator.OperatorStatus;
import io.iocluster.hedge.HedgeStatus;
import io.iocluster.settings.Rate;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class DestinationsJsonTest {

    @Test
    void saysWhenASlowCallGetsASecondAttempt() {
        assertThat(hedge(new HedgeStatus("p95", Duration.ofNanos(12_600_000), 5)))
                .isEqualTo("{\"after\":\"p95\",\"delayMillis\":13,\"budgetPercent\":5}");
        assertThat(hedge(new HedgeStatus("p95", null, 5)))
                .isEqualTo("{\"after\":\"p95\",\"delayMillis\":null,\"budgetPercent\":5}");
        assertThat(hedge(null)).isEqualTo("null");
    }

    private static String hedge(HedgeStatus hedge) {
        DestinationStatus status = new DestinationStatus(
                "partner",
                true,
                0,
                0,
                0,
                BreakerState.CLOSED,
                0,
                Duration.ZERO,
                AttemptTotals.NONE,
                Rate.UNLIMITED,
                OperatorStatus.NONE,
                null,
                hedge);
        return DestinationsJson.of(status).get("hedge").toString();
    }
}
