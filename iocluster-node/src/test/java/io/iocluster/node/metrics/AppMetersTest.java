package io.iocluster.node.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.message.Outcome;
import io.iocluster.node.AllocatedBytes;
import io.iocluster.pipeline.call.Call;
import io.iocluster.pipeline.capacity.InFlightWindow;
import io.iocluster.producer.App;
import io.iocluster.producer.AppQuota;
import io.iocluster.producer.AppRegistry;
import io.iocluster.producer.ProducerSettings;
import io.iocluster.testkit.memory.FakeDelivery;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class AppMetersTest {

    private static final int NAMED = 1_000;
    private static final int FIXED = 2;
    private static final long MAX_SCRAPE_BYTES = 17 << 20;

    private final AppRegistry<Call> apps = new AppRegistry<>(
            new ProducerSettings("app", NAMED, AppQuota.DEFAULTS),
            List.of(),
            new InFlightWindow(10, 10, 10, 1_000, () -> {}),
            call -> {},
            this::now);

    @AutoClose
    private final NodeMetrics metrics = TestNodeMetrics.of(100);

    private long nanos;

    @Test
    void countsTheCallsOfAnAppByOutcome() {
        bind();
        appOf("billing").recordEnd(Outcome.ANSWERED, true);
        appOf("billing").recordEnd(Outcome.EXPIRED, true);
        appOf("billing").recordOverQuota();

        assertThat(scrape())
                .contains("iocluster_app_calls_total{app=\"billing\",outcome=\"answered\"} 1.0")
                .contains("iocluster_app_calls_total{app=\"billing\",outcome=\"expired\"} 1.0")
                .contains("iocluster_app_errors_total{app=\"billing\"} 2.0")
                .contains("iocluster_app_over_quota_total{app=\"billing\"} 1.0")
                .contains("iocluster_app_in_flight{app=\"billing\"} 0.0");
    }

    @Test
    void removesTheSeriesOfAnAppThatTheNodeHasForgotten() {
        bind();
        appOf("old").recordEnd(Outcome.ANSWERED, false);
        assertThat(scrape()).contains("app=\"old\"");

        nanos += Duration.ofMinutes(11).toNanos();
        apps.tick(call -> {});

        assertThat(scrape()).doesNotContain("app=\"old\"").contains("app=\"other\"");
    }

    @Test
    void seriesAndWhatAScrapeAllocatesStayBoundedWhenThousandsOfAppsCall() {
        bind();
        for (int i = 0; i < 5 * NAMED; i++) {
            appOf("app-" + i).recordEnd(Outcome.ANSWERED, false);
        }

        assertThat(scrape().lines().filter(line -> line.startsWith("iocluster_app_")))
                .hasSize((NAMED + FIXED) * AppMeters.SERIES_PER_APP);
        assertThat(AllocatedBytes.of(this::scrape)).isLessThan(MAX_SCRAPE_BYTES);
    }

    private void bind() {
        AppMeters meters = new AppMeters(apps::status);
        metrics.bind(meters, meters::update);
    }

    private long now() {
        return nanos;
    }

    private App<Call> appOf(String name) {
        return apps.appOf(new FakeDelivery("{}", -1, Map.of("app", name)));
    }

    private String scrape() {
        return TestNodeMetrics.scrape(metrics);
    }
}
