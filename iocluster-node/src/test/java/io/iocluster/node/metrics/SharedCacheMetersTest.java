package io.iocluster.node.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.cache.shared.SharedCacheStatus;
import io.iocluster.node.TestStatuses;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class SharedCacheMetersTest {

    @AutoClose
    private final NodeMetrics metrics = TestNodeMetrics.of(100);

    private Optional<SharedCacheStatus> cache = Optional.of(TestStatuses.SHARED_CACHE);

    private List<String> scrape() {
        return TestNodeMetrics.scrape(metrics, "iocluster_shared_cache_");
    }

    @Test
    void showsLookupsWritesAndTheStateOfTheStore() {
        SharedCacheMeters meters = new SharedCacheMeters(() -> cache);
        metrics.bind(meters, meters::update);

        assertThat(scrape())
                .containsExactlyInAnyOrder(
                        "iocluster_shared_cache_lookups_total{result=\"hit\"} 1.0",
                        "iocluster_shared_cache_lookups_total{result=\"miss\"} 2.0",
                        "iocluster_shared_cache_lookups_total{result=\"refused\"} 3.0",
                        "iocluster_shared_cache_lookups_total{result=\"timeout\"} 4.0",
                        "iocluster_shared_cache_lookups_total{result=\"error\"} 5.0",
                        "iocluster_shared_cache_lookups_total{result=\"skipped\"} 6.0",
                        "iocluster_shared_cache_writes_total{result=\"written\"} 10.0",
                        "iocluster_shared_cache_writes_total{result=\"error\"} 11.0",
                        "iocluster_shared_cache_writes_total{result=\"skipped\"} 12.0",
                        "iocluster_shared_cache_lookup_seconds_count 15",
                        "iocluster_shared_cache_lookup_seconds_sum 0.03",
                        "iocluster_shared_cache_connected 0.0",
                        "iocluster_shared_cache_breaker_open 1.0",
                        "iocluster_shared_cache_in_flight 1.0");
    }

    @Test
    void losesItsSeriesWithItsConfiguration() {
        SharedCacheMeters meters = new SharedCacheMeters(() -> cache);
        metrics.bind(meters, meters::update);
        cache = Optional.empty();
        assertThat(scrape()).isEmpty();

        cache = Optional.of(TestStatuses.SHARED_CACHE);

        assertThat(scrape()).hasSize(14);
    }
}
