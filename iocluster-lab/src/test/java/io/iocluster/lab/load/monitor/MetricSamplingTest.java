package io.iocluster.lab.load.monitor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.iocluster.lab.load.spi.MetricReader;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class MetricSamplingTest {

    private final AtomicInteger readings = new AtomicInteger();
    private final List<String> messages = new CopyOnWriteArrayList<>();

    @Test
    void aReaderThatFailsIsReportedOnceAndReadAgain() {
        MetricReader reader = new MetricReader() {
            @Override
            public List<Reading> read() {
                if (readings.incrementAndGet() <= 2) {
                    throw new IllegalStateException("defect");
                }
                return List.of(new Reading("lag", "s", 3));
            }

            @Override
            public Map<String, String> nodeVersions() {
                return Map.of();
            }

            @Override
            public void close() {}
        };
        try (MetricSampling sampling = new MetricSampling(reader, () -> 1, messages::add)) {
            sampling.start(Duration.ofMillis(1));

            await().until(() -> sampling.latest("lag") != null);

            assertThat(sampling.latest("lag")).isEqualTo(3);
            assertThat(messages).containsExactly("cannot read metrics: java.lang.IllegalStateException: defect");
        }
    }
}
