package io.iocluster.node.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.hedge.HedgeResult;
import io.iocluster.node.TestStatuses;
import io.iocluster.pipeline.event.PipelineEvents;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class HedgeMetersTest {

    @Test
    void countsSecondAttemptsByDestinationAndResult() {
        try (NodeMetrics metrics = TestNodeMetrics.of(100)) {
            PipelineEvents events = metrics.events();
            events.hedged("a.example:443", HedgeResult.WON);
            events.hedged("a.example:443", HedgeResult.WON);
            events.hedged("a.example:443", HedgeResult.OVER_BUDGET);

            byte[] text =
                    metrics.scrape(TestStatuses.CONNECTED, List.of(), null).text();
            assertThat(new String(text, StandardCharsets.UTF_8))
                    .contains("iocluster_hedges_total{destination=\"a.example:443\",result=\"won\"} 2.0")
                    .contains("iocluster_hedges_total{destination=\"a.example:443\",result=\"over-budget\"} 1.0");
            assertThat(metrics.attempts())
                    .filteredOn(each -> each.destination().equals("a.example:443"))
                    .extracting(DestinationAttempts::hedges)
                    .containsExactly(Map.of("won", 2L, "over-budget", 1L));
        }
    }
}
