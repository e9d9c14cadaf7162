package io.iocluster.node.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.destination.DestinationStatus;
import io.iocluster.hedge.HedgeStatus;
import io.iocluster.node.TestStatuses;
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
        DestinationStatus status = TestStatuses.destination("partner", "hedge", hedge);
        return DestinationsJson.of(status).get("hedge").toString();
    }
}
