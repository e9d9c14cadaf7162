package io.iocluster.lab.load.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Percentage.withPercentage;

import io.iocluster.lab.load.result.LatencyHistogram;
import io.iocluster.lab.load.result.LatencyRecorder;
import io.iocluster.lab.load.result.PhaseResult;
import io.iocluster.lab.load.result.RunResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

/**
 * Compares the percentiles of the load tool with figures that others measure: an independent Kafka consumer from the timestamps of the
 * records, and {@code wrk}, which must be installed. Takes two minutes. Run it on an idle machine: {@code mvn -q verify -pl
 * iocluster-lab -am -Dit.test=IndependentLatencyMeasurement -Dfailsafe.failIfNoSpecifiedTests=false -Dtest=none
 * -Dsurefire.failIfNoSpecifiedTests=false}
 */
class IndependentLatencyMeasurement {

    private static final double[] PERCENTILES = {50, 99};
    private static final int TOLERANCE_PERCENT = 5;
    private static final JsonMapper JSON = new JsonMapper();

    @TempDir
    private Path folder;

    @Test
    void theTimestampsOfTheRecordsGiveTheSameLatencies() throws Exception {
        try (LoadProcesses load = new LoadProcesses(folder)) {
            Path experiment = load.experiment("""
                    requests: [{name: get, url: "%s/delay?ms=100"}]
                    phases:
                      - {name: warm-up, rate: 300/s, duration: 20s, measured: false}
                      - {name: measured, rate: 300/s, duration: 20s}
                    expectations: [errors <= 0]
                    """.formatted(load.target()));
            RunResult result = load.result(experiment);
            PhaseResult phase = result.phase("measured").orElseThrow();
            long from = result.startedAt().toEpochMilli() + Math.round(phase.fromSeconds() * 1e3);

            LatencyHistogram observed = observe(
                    load.bootstrapServers(), from, from + Math.round((phase.toSeconds() - phase.fromSeconds()) * 1e3));

            assertThat(observed.count()).isCloseTo(phase.sent(), withPercentage(1));
            compare("consumer", observed, phase.total().latency());
        }
    }

    /** Returns the time between the records of each request and its answer, of the requests in this time. */
    private static LatencyHistogram observe(String bootstrapServers, long fromMillis, long toMillis)
            throws IOException {
        Map<String, Long> requests = new HashMap<>();
        LatencyRecorder latencies = new LatencyRecorder();
        for (ConsumerRecord<byte[], byte[]> request : readAll(bootstrapServers, "iocluster.requests")) {
            if (request.timestamp() >= fromMillis && request.timestamp() < toMillis) {
                requests.put(id(request), request.timestamp());
            }
        }
        for (ConsumerRecord<byte[], byte[]> answer : readAll(bootstrapServers, "iocluster.answers")) {
            Long sent = requests.remove(id(answer));
            if (sent != null) {
                latencies.record(TimeUnit.MILLISECONDS.toNanos(answer.timestamp() - sent));
            }
        }
        assertThat(requests).isEmpty();
        return latencies.histogram();
    }

    private static String id(ConsumerRecord<byte[], byte[]> message) {
        return JSON.readTree(message.value()).path("id").asString();
    }

    private static List<ConsumerRecord<byte[], byte[]>> readAll(String bootstrapServers, String topic) {
        List<ConsumerRecord<byte[], byte[]>> all = new ArrayList<>();
        try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(
                Map.of("bootstrap.servers", bootstrapServers),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer())) {
            List<TopicPartition> partitions = consumer.partitionsFor(topic).stream()
                    .map(partition -> new TopicPartition(topic, partition.partition()))
                    .toList();
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
            while (partitions.stream().anyMatch(each -> consumer.position(each) < ends.get(each))) {
                consumer.poll(Duration.ofMillis(200)).forEach(all::add);
            }
        }
        return all;
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
