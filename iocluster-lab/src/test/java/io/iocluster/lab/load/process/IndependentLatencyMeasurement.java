package io.iocluster.lab.load.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Percentage.withPercentage;

import io.iocluster.lab.load.result.LatencyHistogram;
import io.iocluster.lab.load.result.PhaseResult;
import io.iocluster.lab.load.result.RunResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Compares the percentiles of the load tool with figures that others measure: an independent Kafka consumer, and {@code wrk}, which must be installed. Takes three minutes. Run it on an idle machine: {@code mvn -q verify -pl
 * iocluster-lab -am -Dit.test=IndependentLatencyMeasurement -Dfailsafe.failIfNoSpecifiedTests=false -Dtest=none
 * -Dsurefire.failIfNoSpecifiedTests=false}
 */
class IndependentLatencyMeasurement {

    private static final double[] PERCENTILES = {50, 99};
    private static final int TOLERANCE_PERCENT = 5;

    @TempDir
    private Path folder;

    /** The warm-up has twice the rate, so that the compilers of the JVMs are done before the measured phase. */
    @Test
    void anIndependentConsumerMeasuresTheSameLatencies() throws Exception {
        try (LoadProcesses load = new LoadProcesses(folder);
                LatencyObserver observer =
                        new LatencyObserver(load.bootstrapServers(), "iocluster.requests", "iocluster.answers")) {
            Path experiment = load.experiment("""
                    requests: [{name: get, url: "%s/delay?ms=100"}]
                    phases:
                      - {name: warm-up, rate: 600/s, duration: 40s, measured: false}
                      - {name: measured, rate: 300/s, duration: 20s}
                    expectations: [errors <= 0]
                    """.formatted(load.target()));
            RunResult result = load.result(experiment);
            PhaseResult phase = result.phase("measured").orElseThrow();
            long start = result.startedAt().toEpochMilli();

            LatencyHistogram observed = observer.latencies(
                    start + Math.round(phase.fromSeconds() * 1e3), start + Math.round(phase.toSeconds() * 1e3));

            assertThat(observed.count()).isCloseTo(phase.sent(), withPercentage(1));
            compare("consumer", observed, phase.total().latency());
        }
    }

    /**
     * The target takes 20 ms, because wrk adds invented values for each latency that is at least twice its mean, to correct
     * coordinated omission. With a fast target, there are many of these, and the 99th percentiles differ.
     */
    @Test
    void wrkMeasuresTheSameLatencies() throws Exception {
        int connections = 20;
        try (LoadProcesses load = new LoadProcesses(folder)) {
            String url = load.target() + "/delay?ms=20";
            Path experiment =
                    Files.writeString(folder.resolve("http.yaml"), """
                    name: wrk
                    system: {kind: http}
                    requests: [{name: get, url: "%s"}]
                    phases:
                      - {name: warm-up, shape: users, users: %d, duration: 15s, measured: false}
                      - {name: measured, shape: users, users: %d, duration: 20s}
                    expectations: [errors <= 0]
                    """.formatted(url, connections, connections));
            LatencyHistogram measured = load.result(experiment)
                    .phase("measured")
                    .map(PhaseResult::total)
                    .orElseThrow()
                    .latency();

            Map<String, Double> wrk = wrk(url, connections);

            for (double percentile : PERCENTILES) {
                print("wrk", percentile, wrk.get((int) percentile + "%"), measured.millisAt(percentile));
            }
            for (double percentile : PERCENTILES) {
                assertThat(measured.millisAt(percentile))
                        .as(LatencyHistogram.name(percentile))
                        .isCloseTo(wrk.get((int) percentile + "%"), withPercentage(TOLERANCE_PERCENT));
            }
        }
    }

    /** Runs wrk and returns its latencies in milliseconds by percentile, such as {@code 99%}. */
    private Map<String, Double> wrk(String url, int connections) throws IOException, InterruptedException {
        Path output = folder.resolve("wrk.txt");
        Process wrk = new ProcessBuilder("wrk", "-t1", "-c" + connections, "-d20s", "--latency", url)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        assertThat(wrk.waitFor()).as(Files.readString(output)).isZero();
        System.out.println(Files.readString(output));
        Map<String, Double> latencies = new HashMap<>();
        Matcher line = Pattern.compile("(?m)^ +(\\d+%) +([\\d.]+)(us|ms|s)$").matcher(Files.readString(output));
        while (line.find()) {
            double factor = Map.of("us", 1e-3, "ms", 1.0, "s", 1e3).get(line.group(3));
            latencies.put(line.group(1), Double.parseDouble(line.group(2)) * factor);
        }
        return latencies;
    }

    private static void compare(String other, LatencyHistogram theirs, LatencyHistogram ours) {
        for (double percentile : PERCENTILES) {
            print(other, percentile, theirs.millisAt(percentile), ours.millisAt(percentile));
        }
        for (double percentile : PERCENTILES) {
            assertThat(ours.millisAt(percentile))
                    .as(LatencyHistogram.name(percentile))
                    .isCloseTo(theirs.millisAt(percentile), withPercentage(TOLERANCE_PERCENT));
        }
    }

    private static void print(String other, double percentile, double theirs, double ours) {
        System.out.printf(
                "%s: %s %.2f ms, load %.2f ms, %+.1f %%%n",
                LatencyHistogram.name(percentile), other, theirs, ours, 100 * (ours - theirs) / theirs);
    }
}
