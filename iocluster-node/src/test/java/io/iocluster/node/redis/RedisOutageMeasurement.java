package io.iocluster.node.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.iocluster.message.Answer;
import io.iocluster.message.AnswerDecoder;
import io.iocluster.node.KafkaNodeFixture;
import io.iocluster.node.ZipfKeys;
import io.iocluster.testkit.redis.RedisServer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Measures the latency of calls while Redis is killed and comes back, and while it answers nothing, with two nodes on Kafka. The suite does
 * not run it. Run it alone, with both JIT compilers:
 *
 * <pre>
 * mvn verify -pl iocluster-node -am -Dit.test=RedisOutageMeasurement -Dfailsafe.failIfNoSpecifiedTests=false -Dtest=none
 *     -Dsurefire.failIfNoSpecifiedTests=false -Dshort-lived.jvm.flags=
 * </pre>
 */
@Tag("measured-by-hand")
class RedisOutageMeasurement {

    private static final Logger LOG = LoggerFactory.getLogger(RedisOutageMeasurement.class);
    private static final int PARTITIONS = 6;
    private static final int PER_SECOND = 400;
    private static final List<String> PHASES = List.of("warm-up", "up", "killed", "back", "suspended", "resumed");
    private static final int CALLS_OF_PHASE = PER_SECOND * 25;
    private static final double MAX_RATIO = 1.2;

    @Test
    void noCallFailsAndTheLatencyStays() throws Exception {
        try (RedisServer redis = RedisServer.start();
                KafkaNodeFixture stage = new KafkaNodeFixture(PARTITIONS, Map.of())) {
            for (String id : List.of("one", "other")) {
                stage.startNode(id, "none", """
                        shared-cache: {redis: {url: "%s"}, hmac-key: a secret of more than thirty-two characters}
                        destination-defaults: {cache: {ttl: 1h, coalesce: true, shared: true}}
                        """.formatted(redis.url())).awaitReady();
            }
            long[] sentMillis = new long[PHASES.size() * CALLS_OF_PHASE];
            try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                    Map.of("bootstrap.servers", stage.broker.bootstrapServers(), "linger.ms", "0"),
                    new ByteArraySerializer(),
                    new ByteArraySerializer())) {
                ZipfKeys keys = new ZipfKeys(100_000, 17);
                for (int phase = 0; phase < PHASES.size(); phase++) {
                    switch (PHASES.get(phase)) {
                        case "killed" -> redis.kill();
                        case "back" -> redis.restart();
                        case "suspended" -> redis.suspend();
                        case "resumed" -> redis.resume();
                        default -> {}
                    }
                    sendAtRate(producer, stage, keys, sentMillis, phase * CALLS_OF_PHASE);
                }
            }
            report(stage, sentMillis);
        }
    }

    private static void sendAtRate(
            KafkaProducer<byte[], byte[]> producer,
            KafkaNodeFixture stage,
            ZipfKeys keys,
            long[] sentMillis,
            int first) {
        long start = System.nanoTime();
        for (int i = 0; i < CALLS_OF_PHASE; i++) {
            long due = start + TimeUnit.SECONDS.toNanos(i) / PER_SECOND;
            for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
                LockSupport.parkNanos(left);
            }
            int id = first + i;
            String url = stage.target.url("/delay?ms=10&key=" + keys.next());
            byte[] envelope = ("{\"id\":\"" + id + "\",\"url\":\"" + url + "\"}").getBytes(StandardCharsets.UTF_8);
            sentMillis[id] = System.currentTimeMillis();
            producer.send(
                    new ProducerRecord<>(KafkaNodeFixture.REQUESTS, id % PARTITIONS, sentMillis[id], null, envelope));
        }
    }

    private static void report(KafkaNodeFixture stage, long[] sentMillis) {
        long[] tookMillis = new long[sentMillis.length];
        Arrays.fill(tookMillis, -1);
        int[] hits = new int[PHASES.size()];
        int failed = readAnswers(stage, sentMillis, tookMillis, hits);
        double[] p99 = new double[PHASES.size()];
        for (int phase = 0; phase < PHASES.size(); phase++) {
            long[] sorted = Arrays.copyOfRange(tookMillis, phase * CALLS_OF_PHASE, (phase + 1) * CALLS_OF_PHASE);
            Arrays.sort(sorted);
            p99[phase] = sorted[sorted.length * 99 / 100];
            LOG.warn(
                    "{}: p50 {} ms, p90 {} ms, p99 {} ms, longest {} ms, hits {} %",
                    PHASES.get(phase),
                    sorted[sorted.length / 2],
                    sorted[sorted.length * 9 / 10],
                    p99[phase],
                    sorted[sorted.length - 1],
                    100 * hits[phase] / CALLS_OF_PHASE);
        }
        LOG.warn("Failed calls: {}", failed);
        assertThat(failed).isZero();
        assertThat(Arrays.stream(tookMillis).filter(each -> each < 0))
                .as("calls without an answer")
                .isEmpty();
        for (int phase = 2; phase < PHASES.size(); phase++) {
            assertThat(p99[phase]).as(PHASES.get(phase)).isLessThanOrEqualTo(MAX_RATIO * p99[1]);
        }
    }

    /** Reads all answers. Returns how many calls failed. */
    private static int readAnswers(KafkaNodeFixture stage, long[] sentMillis, long[] tookMillis, int[] hits) {
        AnswerDecoder decoder = new AnswerDecoder();
        int[] totals = new int[2]; // read, failed
        try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(
                Map.of("bootstrap.servers", stage.broker.bootstrapServers()),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer())) {
            List<TopicPartition> all = IntStream.range(0, PARTITIONS)
                    .mapToObj(i -> new TopicPartition(KafkaNodeFixture.ANSWERS, i))
                    .toList();
            consumer.assign(all);
            consumer.seekToBeginning(all);
            await().pollInSameThread().until(() -> {
                for (ConsumerRecord<byte[], byte[]> each : consumer.poll(Duration.ofMillis(200))) {
                    Answer answer = decoder.decode(each.value());
                    int id = Integer.parseInt(answer.id());
                    tookMillis[id] = each.timestamp() - sentMillis[id];
                    totals[0]++;
                    totals[1] += answer.status() == 200 ? 0 : 1;
                    hits[id / CALLS_OF_PHASE] +=
                            answer.cache() != null && answer.cache().hit() ? 1 : 0;
                }
                return totals[0] >= sentMillis.length;
            });
        }
        return totals[1];
    }
}
