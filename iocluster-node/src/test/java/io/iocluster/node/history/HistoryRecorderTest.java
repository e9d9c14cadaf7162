package io.iocluster.node.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.node.config.AdminSettings;
import io.iocluster.node.config.binding.SettingsLoading;
import io.iocluster.node.history.HistoryRecorder.DestinationSources;
import io.iocluster.node.history.HistoryRecorder.SampleSources;
import io.iocluster.node.metrics.NodeStats;
import io.iocluster.node.metrics.NodeStats.DurationBucket;
import io.iocluster.node.reload.ConfigurationStatus;
import io.iocluster.node.reload.ConfigurationStatus.Reload;
import io.iocluster.pipeline.PipelineState;
import io.iocluster.pipeline.PipelineStatus;
import io.iocluster.pipeline.PipelineStatus.WorkerStatus;
import io.iocluster.settings.DurationText;
import io.iocluster.testkit.time.FakeClock;
import io.iocluster.thread.Platform;
import io.iocluster.transport.SourceStatus;
import io.iocluster.transport.SourceStatus.Lag;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class HistoryRecorderTest {

    private static final Instant START = Instant.parse("2026-01-02T03:04:05Z");

    private PipelineStatus status = status(3, 50, 1, List.of(new Lag("in", 0, 7, 900, false)));
    private NodeStats stats = stats(0, Duration.ZERO);
    private ConfigurationStatus configuration = configuration(0, 0, null);
    private long seconds;

    @Test
    void recordsWhatTheNodeDidSinceTheSampleBefore() {
        HistoryRecorder recorder = recorder(Duration.ofHours(1));
        stats = stats(10, Duration.ofSeconds(5), new DurationBucket(1_000_000, 98), new DurationBucket(9_000_000, 2));
        sample(recorder);

        JsonNode json = HistoryJson.of(recorder, 0);

        assertThat(json.get("now").asLong()).isEqualTo(START.plusSeconds(5).toEpochMilli());
        assertThat(json.get("intervalMillis").asLong()).isEqualTo(5_000);
        assertThat(json.get("times").toString())
                .isEqualTo("[" + START.plusSeconds(5).toEpochMilli() + "]");
        assertThat(json.get("figures").toString())
                .isEqualTo("{\"lag\":[7.0],\"oldestAgeMillis\":[900.0],\"inFlight\":[3.0],\"inFlightLimit\":[50.0],"
                        + "\"waiting\":[5.0],\"callsPerSecond\":[20.0],\"failuresPerSecond\":[2.0],\"cpu\":[0.5],"
                        + "\"p50Millis\":[1.0],\"p99Millis\":[9.0]}");
    }

    @Test
    void distinguishesUnknownFiguresFromZero() {
        HistoryRecorder recorder = recorder(Duration.ofHours(1));
        status = status(0, 50, 1, List.of());
        sample(recorder);

        JsonNode figures = HistoryJson.of(recorder, 0).get("figures");

        assertThat(figures.at("/lag/0").isNull()).isTrue();
        assertThat(figures.at("/p99Millis/0").isNull()).isTrue();
        assertThat(figures.at("/callsPerSecond/0").asDouble()).isZero();
    }

    @Test
    void keepsOnlyTheLatestSamples() {
        HistoryRecorder recorder = recorder(Duration.ofSeconds(15));
        for (int i = 0; i < 8; i++) {
            status = status(i, 50, 1, List.of());
            sample(recorder);
        }

        JsonNode all = HistoryJson.of(recorder, 0);
        JsonNode recent = HistoryJson.of(recorder, START.plusSeconds(35).toEpochMilli());

        assertThat(all.at("/figures/inFlight").toString()).isEqualTo("[5.0,6.0,7.0]");
        assertThat(recent.at("/figures/inFlight").toString()).isEqualTo("[7.0]");
        assertThat(recent.get("times").size()).isEqualTo(1);
        assertThat(recent.get("events").isEmpty()).isTrue();
    }

    @Test
    void marksTheStartChangesOfTheConfigurationAndNewSizes() {
        HistoryRecorder recorder = recorder(Duration.ofHours(1));
        sample(recorder);
        Reload applied = new Reload(START.plusSeconds(7), List.of());
        configuration = configuration(1, 0, applied);
        sample(recorder);
        configuration = configuration(1, 1, new Reload(START.plusSeconds(12), List.of("wrong")));
        status = status(3, 80, 2, List.of());
        sample(recorder);

        assertThat(recorder.events())
                .extracting(each -> Duration.between(START, each.at()).toSeconds() + " "
                        + each.kind().wireName() + " " + each.detail())
                .containsExactly(
                        "0 started ",
                        "7 configuration-applied ",
                        "12 configuration-refused ",
                        "15 resized in flight from 50 to 80",
                        "15 resized threads from 1 to 2");
    }

    @Test
    void keepsOnlyTheLatestEvents() {
        HistoryRecorder recorder = recorder(Duration.ofHours(1));
        for (int i = 1; i <= HistoryRecorder.MAX_EVENTS; i++) {
            status = status(3, 50 + i, 1, List.of());
            sample(recorder);
        }

        assertThat(recorder.events()).hasSize(HistoryRecorder.MAX_EVENTS);
        assertThat(recorder.events().get(0).detail()).isEqualTo("in flight from 50 to 51");
    }

    @Test
    void recordsNothingIfNothingIsKept() {
        try (HistoryRecorder recorder = new HistoryRecorder(
                new SampleSources(() -> status, () -> stats, () -> configuration),
                new DestinationSources(List::of, List::of),
                settings(Duration.ZERO),
                Platform.system(),
                null)) {
            recorder.start();

            assertThat(HistoryJson.of(recorder, 0).get("times").isEmpty()).isTrue();
            assertThat(recorder.events()).isEmpty();
        }
    }

    private HistoryRecorder recorder(Duration kept) {
        HistoryRecorder recorder = new HistoryRecorder(
                new SampleSources(() -> status, () -> stats, () -> configuration),
                new DestinationSources(List::of, List::of),
                settings(kept),
                new FakeClock(
                        () -> TimeUnit.SECONDS.toNanos(seconds),
                        () -> START.plusSeconds(seconds).toEpochMilli()),
                null);
        recorder.begin();
        return recorder;
    }

    private static AdminSettings settings(Duration kept) {
        return SettingsLoading.node("admin: {history: " + DurationText.format(kept) + "}")
                .admin();
    }

    private void sample(HistoryRecorder recorder) {
        seconds += 5;
        recorder.runOnce();
    }

    private static NodeStats stats(long failures, Duration cpuTime, DurationBucket... durations) {
        return new NodeStats(0, 0, 0, 0, failures, 0, cpuTime, 2, List.of(durations));
    }

    private static ConfigurationStatus configuration(long applied, long refused, Reload last) {
        return new ConfigurationStatus(null, false, applied, refused, last, List.of(), "hash");
    }

    private static PipelineStatus status(int inFlight, int limit, int threads, List<Lag> lags) {
        return new PipelineStatus(
                PipelineState.RUNNING,
                "kafka",
                inFlight,
                limit,
                5,
                0,
                0,
                0,
                1,
                Collections.nCopies(threads, new WorkerStatus("worker-1", 0, 0, 0, 0)),
                0,
                false,
                new SourceStatus(true, null, Set.of(), 0, lags, 0, 0));
    }
}
