package io.iocluster.node.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.message.ErrorCode;
import io.iocluster.message.Outcome;
import io.iocluster.node.metrics.NodeStats.DurationBucket;
import io.iocluster.trace.Traced;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NodeStatsTest {

    @AutoClose
    private final NodeMetrics metrics = TestNodeMetrics.of(2);

    @Test
    void hasTheSameCountsAsTheMeters() {
        var events = metrics.events();
        events.received(1);
        events.received(1);
        events.callEnded("a:80", Outcome.ANSWERED, 200, null, 1_000_000, Traced.UNTRACED);
        events.callEnded("b:80", Outcome.FAILED, 0, ErrorCode.TIMEOUT, 2_000_000, Traced.UNTRACED);
        events.callEnded(null, Outcome.REJECTED, 0, ErrorCode.INVALID_URL, 0, Traced.UNTRACED);
        events.retried("b:80", "503");
        events.acknowledged(1, Traced.UNTRACED);
        events.released();
        events.deadLettered(ErrorCode.TIMEOUT);

        NodeStats figures = metrics.stats();

        assertThat(figures.received()).isEqualTo(2);
        assertThat(figures.failures()).isEqualTo(2);
        assertThat(figures.retries()).isEqualTo(1);
        assertThat(figures.acknowledged()).isEqualTo(1);
        assertThat(figures.released()).isEqualTo(1);
        assertThat(figures.deadLetters()).isEqualTo(1);
        assertThat(figures.durations().stream().mapToLong(DurationBucket::calls).sum())
                .isEqualTo(3);
        assertThat(figures.cpus()).isEqualTo(Runtime.getRuntime().availableProcessors());
    }

    @Test
    void hasTheCpuTimeOfTheProcess() {
        Duration before = metrics.stats().cpuTime();
        Duration now = ProcessHandle.current().info().totalCpuDuration().orElseThrow();

        assertThat(metrics.stats().cpuTime()).isGreaterThanOrEqualTo(before);
        assertThat(now.minus(before).abs()).isLessThan(Duration.ofMinutes(1));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 17, 100, 101, 999, 5_000, 30_000, 3_000_000})
    void recordsADurationWithAResolutionOfASixteenth(long millis) {
        DurationHistogram durations = new DurationHistogram();

        durations.record(TimeUnit.MILLISECONDS.toNanos(millis));

        assertThat(durations.buckets()).hasSize(1);
        double shown = durations.buckets().get(0).upperBoundNanos() / 1e6;
        assertThat(shown).isBetween(millis * 1.0, millis * (1 + 1.0 / 16) + 0.001);
    }

    @Test
    void recordsADurationAboveTheMaximumAsTheMaximum() {
        DurationHistogram durations = new DurationHistogram();

        durations.record(Long.MAX_VALUE);
        durations.record(-1);

        assertThat(durations.buckets()).extracting(DurationBucket::calls).containsExactly(1L, 1L);
    }
}
