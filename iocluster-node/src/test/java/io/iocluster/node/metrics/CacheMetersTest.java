package io.iocluster.node.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.cache.CacheResult;
import io.iocluster.cache.CacheStatus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class CacheMetersTest {

    private static final Path PAGE = Path.of(System.getProperty("basedir", ".")).resolve("../docs/metrics.md");

    @AutoClose
    private final NodeMetrics metrics = TestNodeMetrics.of(100);

    private List<CacheStatus> caches = List.of(cache("partner", 7));

    private static CacheStatus cache(String destination, long hits) {
        return new CacheStatus(
                destination,
                Arrays.stream(CacheResult.values())
                        .collect(Collectors.toMap(each -> each, each -> each == CacheResult.HIT ? hits : 0L)),
                1,
                10,
                2_000,
                4_000,
                3);
    }

    private List<String> scrape() {
        return TestNodeMetrics.scrape(metrics, "iocluster_cache_");
    }

    private void bind() {
        CacheMeters meters = new CacheMeters(() -> caches);
        metrics.bind(meters, meters::update);
    }

    @Test
    void showsHowCallsUsedTheCacheAndWhatItHolds() {
        bind();
        caches = List.of(cache("partner", 8));

        assertThat(scrape())
                .contains("iocluster_cache_calls_total{destination=\"partner\",result=\"hit\"} 8.0")
                .contains("iocluster_cache_calls_total{destination=\"partner\",result=\"coalesced\"} 0.0")
                .contains("iocluster_cache_refreshes_total{destination=\"partner\"} 1.0")
                .contains("iocluster_cache_evictions_total{destination=\"partner\"} 3.0")
                .contains("iocluster_cache_entries{destination=\"partner\"} 10.0")
                .contains("iocluster_cache_bytes{destination=\"partner\"} 2000.0")
                .contains("iocluster_cache_bytes_limit{destination=\"partner\"} 4000.0");
    }

    @Test
    void aCacheHasAsManySeriesAsDocumentedAndLosesThemWithItsConfiguration() throws IOException {
        bind();
        assertThat(scrape()).hasSize(CacheMeters.SERIES_PER_CACHE);
        assertThat(Files.readString(PAGE)).contains(CacheMeters.SERIES_PER_CACHE + " × (caches)");

        caches = List.of();

        assertThat(scrape()).isEmpty();
    }
}
