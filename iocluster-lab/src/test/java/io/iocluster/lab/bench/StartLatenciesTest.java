package io.iocluster.lab.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.lab.bench.BenchOptions.StartWindows;
import io.iocluster.lab.bench.broker.PolledAnswer;
import java.nio.charset.StandardCharsets;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class StartLatenciesTest {

    private static final PolledAnswer OK = answer("{\"outcome\":\"answered\",\"status\":200}");
    private static final PolledAnswer UNAVAILABLE = answer("{\"outcome\":\"answered\",\"status\":503}");

    private final StartLatencies latencies = new StartLatencies(new StartWindows(5, 30, 40), 10);

    @Test
    void separatesTheWindowsByWhenACallWasDue() {
        LongStream.range(0, 400).forEach(number -> latencies.add(number, OK, 1_000_000 * (number + 1)));

        assertThat(latencies.answered()).isEqualTo(400);
        assertThat(latencies.first().count()).isEqualTo(50);
        assertThat(latencies.first().maxMillis()).isBetween(49.9, 50.1);
        assertThat(latencies.steady().count()).isEqualTo(100);
        assertThat(latencies.steady().minMillis()).isBetween(300.5, 301.5);
    }

    @Test
    void countsEachCallOnce() {
        latencies.add(3, OK, 1_000);
        latencies.add(3, UNAVAILABLE, 2_000);

        assertThat(latencies.answered()).isEqualTo(1);
        assertThat(latencies.first().count()).isEqualTo(1);
        assertThat(latencies.failures()).isZero();
    }

    @Test
    void ignoresCallsBeforeTheMeasurement() {
        latencies.add(-1, UNAVAILABLE, 1_000);

        assertThat(latencies.answered()).isZero();
        assertThat(latencies.failures()).isZero();
    }

    @Test
    void countsFailuresOutsideOfTheWindowsToo() {
        latencies.add(200, UNAVAILABLE, 1_000);

        assertThat(latencies.failures()).isEqualTo(1);
        assertThat(latencies.first().count() + latencies.steady().count()).isZero();
    }

    private static PolledAnswer answer(String json) {
        return new PolledAnswer(0, json.getBytes(StandardCharsets.UTF_8));
    }
}
