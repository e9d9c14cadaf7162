package io.iocluster.node.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.message.ErrorCode;
import io.iocluster.message.Outcome;
import io.iocluster.node.SampleStatus;
import io.iocluster.node.SampleTuning;
import io.iocluster.node.config.MetricsSettings;
import io.iocluster.node.config.OtlpMetricsSettings;
import io.iocluster.node.metrics.Figures.Bucket;
import io.iocluster.trace.Traced;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FiguresTest {

    private final NodeMetrics metrics = new NodeMetrics(
            "node-1",
            "kafka",
            new MetricsSettings(2, OtlpMetricsSettings.DEFAULTS),
            10,
            () -> SampleStatus.REFUSED,
            () -> SampleTuning.GROWING);

    @AfterEach
    void close() {
        metrics.close();
    }

    @Test
    void countsWhatTheMetersCount() {
        var events = metrics.events();
        events.received(1);
        events.received(1);
        events.called("a:80", Outcome.ANSWERED, 200, null, 1_000_000, Traced.NOT);
        events.called("b:80", Outcome.FAILED, 0, ErrorCode.TIMEOUT, 2_000_000, Traced.NOT);
        events.called(null, Outcome.REJECTED, 0, ErrorCode.INVALID_URL, 0, Traced.NOT);
        events.retried("b:80", "503");
        events.acknowledged(1, Traced.NOT);
        events.released();
        events.deadLettered(ErrorCode.TIMEOUT);

        Figures figures = metrics.figures();

        assertThat(figures.received()).isEqualTo(2);
        assertThat(figures.failures()).isEqualTo(2);
        assertThat(figures.retries()).isEqualTo(1);
        assertThat(figures.acknowledged()).isEqualTo(1);
        assertThat(figures.released()).isEqualTo(1);
        assertThat(figures.deadLetters()).isEqualTo(1);
        assertThat(figures.durations().stream().mapToLong(Bucket::calls).sum()).isEqualTo(3);
        assertThat(figures.cpus()).isEqualTo(Runtime.getRuntime().availableProcessors());
    }

    @Test
    void theCpuTimeIsThatOfTheProcess() {
        Duration before = metrics.figures().cpuTime();
        Duration now = ProcessHandle.current().info().totalCpuDuration().orElseThrow();

        assertThat(metrics.figures().cpuTime()).isGreaterThanOrEqualTo(before);
        assertThat(now.minus(before).abs()).isLessThan(Duration.ofSeconds(5));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 17, 100, 101, 999, 5_000, 30_000, 3_000_000})
    void aDurationIsKeptToASixteenth(long millis) {
        CallDurations durations = new CallDurations();

        durations.record(TimeUnit.MILLISECONDS.toNanos(millis));

        assertThat(durations.buckets()).hasSize(1);
        double shown = durations.buckets().get(0).upToNanos() / 1e6;
        assertThat(shown).isBetween(millis * 1.0, millis * (1 + 1.0 / 16) + 0.001);
    }

    @Test
    void aDurationBeyondAllBoundsIsKeptAsTheLongest() {
        CallDurations durations = new CallDurations();

        durations.record(Long.MAX_VALUE);
        durations.record(-1);

        assertThat(durations.buckets()).extracting(Bucket::calls).containsExactly(1L, 1L);
    }
}
