package io.iocluster.lab.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.lab.bench.BenchOptions.StartWindows;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class StartLatenciesTest {

    @Test
    void separatesTheWindowsByWhenACallWasDue() {
        StartLatencies latencies = new StartLatencies(new StartWindows(5, 30, 40));

        LongStream.range(0, 400).forEach(number -> latencies.add(number / 10, 1_000_000 * (number + 1)));

        assertThat(latencies.first().count()).isEqualTo(50);
        assertThat(latencies.first().maxMillis()).isBetween(49.9, 50.1);
        assertThat(latencies.steady().count()).isEqualTo(100);
        assertThat(latencies.steady().minMillis()).isBetween(300.5, 301.5);
    }
}
