package io.iocluster.node.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.testkit.record.RecordCopy;
import io.iocluster.upstream.UpstreamState;
import io.iocluster.upstream.UpstreamStatus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class UpstreamMetersTest {

    private static final Path PAGE = Path.of(System.getProperty("basedir", ".")).resolve("../docs/metrics.md");
    private static final int MAX_UPSTREAMS = 2;
    private static final String LABELS = "{destination=\"partner\",upstream=\"a:80\"}";

    @AutoClose
    private final NodeMetrics metrics = TestNodeMetrics.of(100);

    private List<UpstreamStatus> upstreams = List.of(upstream(false, 0));

    private static UpstreamStatus upstream(boolean ejected, int inFlight) {
        UpstreamState state = ejected ? UpstreamState.EJECTED : UpstreamState.ACTIVE;
        return new UpstreamStatus("partner", "a:80", "", state, 0, null, inFlight, 250, 1, 5, 4, 3, 2);
    }

    private List<String> scrape() {
        return TestNodeMetrics.scrape(metrics, "iocluster_upstream_");
    }

    private void bind() {
        UpstreamMeters meters = new UpstreamMeters(() -> upstreams, MAX_UPSTREAMS);
        metrics.bind(meters, meters::update);
    }

    @Test
    void showsTheCallsAndTheStateOfAnUpstream() {
        bind();
        upstreams = List.of(upstream(true, 7));

        assertThat(scrape())
                .contains(
                        "iocluster_upstream_attempts_total{destination=\"partner\",result=\"success\",upstream=\"a:80\"} 5.0")
                .contains(
                        "iocluster_upstream_attempts_total{destination=\"partner\",result=\"failure\",upstream=\"a:80\"} 4.0")
                .contains(
                        "iocluster_upstream_attempts_total{destination=\"partner\",result=\"ignored\",upstream=\"a:80\"} 3.0")
                .contains("iocluster_upstream_ejections_total" + LABELS + " 2.0")
                .contains("iocluster_upstream_out" + LABELS + " 1.0")
                .contains("iocluster_upstream_in_flight" + LABELS + " 7.0")
                .contains("iocluster_upstream_latency_seconds" + LABELS + " 0.25");
    }

    @Test
    void countsUpstreamsAboveTheMaximumTogetherAndThoseWithTheirOwnSeriesKeepThem() {
        bind();
        UpstreamStatus first = upstreams.get(0);
        upstreams = Stream.of("c:80", "b:80", "d:80", "a:80")
                .map(each -> RecordCopy.with(first, "upstream", each, "state", UpstreamState.EJECTED))
                .toList();

        List<String> scraped = scrape();

        assertThat(scraped).hasSize(3 * UpstreamMeters.SERIES_PER_UPSTREAM);
        assertThat(scraped)
                .contains("iocluster_upstream_out{destination=\"partner\",upstream=\"a:80\"} 1.0")
                .contains("iocluster_upstream_out{destination=\"partner\",upstream=\"c:80\"} 1.0")
                .contains("iocluster_upstream_out{destination=\"partner\",upstream=\"other\"} 2.0")
                .contains(
                        "iocluster_upstream_attempts_total{destination=\"partner\",result=\"success\",upstream=\"other\"} 10.0");
    }

    @Test
    void anUpstreamHasAsManySeriesAsDocumentedAndLosesThemWhenItIsRemoved() throws IOException {
        bind();
        assertThat(scrape()).hasSize(UpstreamMeters.SERIES_PER_UPSTREAM);
        assertThat(Files.readString(PAGE))
                .contains(UpstreamMeters.SERIES_PER_UPSTREAM
                        + " × (`metrics.max-upstreams` + destinations with upstreams)");

        upstreams = List.of();

        assertThat(scrape()).isEmpty();
    }
}
