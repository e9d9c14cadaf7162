package io.iocluster.lab.load.metric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.iocluster.lab.load.metric.MetricReader.Reading;
import io.iocluster.lab.load.result.MetricSeries.Sample;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class MetricSamplingTest {

    private final AtomicInteger readings = new AtomicInteger();
    private final List<String> messages = new CopyOnWriteArrayList<>();

    @Test
    void aReaderThatFailsIsReportedOnceAndReadAgain() {
        MetricReader reader = () -> {
            if (readings.incrementAndGet() <= 2) {
                throw new IllegalStateException("defect");
            }
            return List.of(new Reading("lag", "s", 3));
        };
        try (MetricSampling sampling = new MetricSampling(reader, () -> 1, messages::add)) {
            sampling.start(Duration.ofMillis(1), Duration.ofSeconds(1));

            await().until(() -> sampling.latest("lag") != null);

            assertThat(sampling.latest("lag")).isEqualTo(3);
            assertThat(messages).containsExactly("cannot read metrics: java.lang.IllegalStateException: defect");
        }
    }

    @Test
    void aLongRunIsReadLessOftenInsteadOfLosingItsEnd() {
        try (MetricSampling sampling = new MetricSampling(MetricReader.NONE, () -> 1, messages::add)) {
            sampling.start(Duration.ofSeconds(1), Duration.ofHours(10));
        }

        assertThat(messages).containsExactly("metrics are read every 2s instead of every 1s, because the run is long");
    }

    @Test
    void samplesFromBeforeTheStartHaveNegativeTimes() {
        AtomicInteger seconds = new AtomicInteger(3);
        try (MetricSampling sampling =
                new MetricSampling(() -> List.of(new Reading("lag", "s", 7)), seconds::get, messages::add)) {
            sampling.read();
            sampling.moveStart(5);
            seconds.set(0);
            sampling.read();

            assertThat(sampling.series())
                    .singleElement()
                    .satisfies(series ->
                            assertThat(series.samples()).containsExactly(new Sample(-2, 7), new Sample(0, 7)));
        }
    }

    @Test
    void samplesThatAreLeftOutAreReportedOnce() {
        MetricReader reader = () -> List.of(new Reading("lag", "s", readings.incrementAndGet()));
        try (MetricSampling sampling = new MetricSampling(reader, () -> 1, messages::add)) {
            for (int i = 0; i < 20_010; i++) {
                sampling.read();
            }

            assertThat(sampling.latest("lag")).isEqualTo(20_000);
        }
        assertThat(messages)
                .containsExactly(
                        "there are 20000 samples of a metric; later ones are left out, so choose a longer metrics-interval");
    }
}
